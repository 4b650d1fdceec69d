import { z } from "zod";
import { openApp, openMachine } from "../src/app.ts";
import { byCodeUnit } from "../src/core/order.ts";
import type { Tool } from "../src/core/tool.ts";
import { isLibraryTool, methodName } from "../src/library/library.ts";

type Schema = Exclude<z.core.JSONSchema._JSONSchema, boolean>;

/** src/library/tool-methods.ts, from the tools' schemas: one typed method per tool, without any type of zod. */
export function libraryTypes(): string {
  const { tools } = openApp(openMachine({ root: "/", env: { CONTEXTFUL_HOME: "/" } }));
  const shared: string[] = [];
  const methods = tools
    .filter(isLibraryTool)
    .toSorted((a, b) => byCodeUnit(methodName(a), methodName(b)))
    .map((tool) => method(tool, shared));
  return `// Made from the tools' schemas by \`npm run docs\`; do not edit.

/** One method per tool. \`Options\` is what every method takes beside its input. */
export interface ToolMethods<Options> {
${methods.join("\n")}
}
${shared.join("\n")}`;
}

function method(tool: Tool, shared: string[]): string {
  const name = methodName(tool);
  const input = z.toJSONSchema(inputOf(tool), { io: "input", unrepresentable: "any" });
  // A required path is the project's root, which the library knows.
  const required = (input.required ?? []).filter((field) => field !== "path");
  const named = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const inputType = printAll({ ...input, required }, { prefix: `${named}Input`, isInput: true }, shared);
  const output = z.toJSONSchema(tool.viewOutput ?? tool.output, { io: "output", unrepresentable: "any" });
  const outputType = printAll(output, { prefix: `${named}Output`, isInput: false }, shared);
  const mark = required.length === 0 ? "?" : "";
  return `${comment(tool.description, "  ")}  ${name}(input${mark}: ${inputType}, options?: Options): Promise<${outputType}>;`;
}

const inputOf = ({ input, viewInput }: Tool) => (viewInput ? input.extend(viewInput.shape) : input);

interface Printed {
  /** Begins the names of the types that this schema needs. */
  readonly prefix: string;
  readonly isInput: boolean;
}

/** Parts that refer to themselves become types of their own. */
function printAll(schema: Schema, printed: Printed, shared: string[]): string {
  for (const [name, part] of Object.entries(schema.$defs ?? {}))
    shared.push(`type ${sharedName(printed, name)} = ${print(part, printed, "")};\n`);
  if (!JSON.stringify(schema).includes('"$ref":"#"')) return print(schema, printed, "  ");
  shared.push(`type ${printed.prefix} = ${print(schema, printed, "")};\n`);
  return printed.prefix;
}

function print(part: Schema | boolean | undefined, printed: Printed, indent: string): string {
  if (part === undefined || typeof part === "boolean") return "unknown";
  if (part.$ref !== undefined) return sharedName(printed, part.$ref.split("/").at(-1) ?? "");
  const choices = part.const === undefined ? part.enum : [part.const];
  if (choices) return choices.map((value) => JSON.stringify(value)).join(" | ");
  const union = part.anyOf ?? part.oneOf;
  if (union) return [...new Set(union.map((option) => print(option, printed, indent)))].join(" | ");
  if (part.type === "array") return printList(part, printed, indent);
  if (part.type === "object") return printObject(part, printed, indent);
  return SCALARS[String(part.type)] ?? "unknown";
}

function printList({ items }: Schema, printed: Printed, indent: string): string {
  const item = print(Array.isArray(items) ? undefined : items, printed, indent);
  return `readonly ${/[ |{]/.test(item) ? `(${item})` : item}[]`;
}

function printObject(part: Schema, printed: Printed, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(part.properties ?? {}).map(([key, value]) => {
    const type = print(value, printed, inner);
    const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
    const description = typeof value === "object" ? (value.description ?? "") : "";
    // Callers may pass `undefined` for a field they do not give.
    const optional = printed.isInput && type !== "unknown" ? `${type} | undefined` : type;
    const typed = part.required?.includes(key) ? `${name}: ${type}` : `${name}?: ${optional}`;
    return `${comment(description, inner)}${inner}readonly ${typed};`;
  });
  if (typeof part.additionalProperties === "object" && fields.length === 0)
    return `{ readonly [key: string]: ${print(part.additionalProperties, printed, inner)} }`;
  return fields.length === 0 ? "Readonly<Record<never, never>>" : `{\n${fields.join("\n")}\n${indent}}`;
}

const sharedName = ({ prefix }: Printed, ref: string) => `${prefix}${ref.replace(/\W|_/g, "")}`;

const SCALARS: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
};

const comment = (text: string, indent: string) =>
  text === "" ? "" : `${indent}/** ${text.replaceAll("*/", "*\\/").replaceAll("\n", " ")} */\n`;
