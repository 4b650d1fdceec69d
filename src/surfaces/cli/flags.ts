import { type Command, Option } from "commander";
import { z } from "zod";
import type { Tool } from "../../core/tool.ts";

type Kind = "boolean" | "number" | "text" | "texts" | "json";
interface Field {
  readonly name: string;
  /** What it is called on the command line. */
  readonly flag: string;
  readonly kind: Kind;
  /** Its texts are words of a list, so that several may stand in one value: `a,b`. */
  readonly isListed: boolean;
  readonly description: string;
  readonly isRequired: boolean;
  readonly fallback: unknown;
}

/** Gives a command the positional arguments and flags of its tool's input. */
export function addFlags(command: Command, tool: Tool): void {
  const positional = tool.command?.positional ?? [];
  const fields = fieldsOf(tool);
  for (const name of positional) {
    const field = fields.find((known) => known.name === name);
    if (!field) throw new Error(`${tool.name} has no input field ${name} to give by position.`);
    const word = kebab(name).toUpperCase() + (field.kind === "texts" ? "..." : "");
    command.argument(field.isRequired ? `<${word}>` : `[${word}]`, field.description);
  }
  for (const field of fields) {
    if (!positional.includes(field.name)) for (const option of optionsOf(field)) command.addOption(option);
  }
}

/** What was given on the command line, as the tool's input. Text that is no number stays text: the schema says what is wrong. */
export function inputOf(tool: Tool, given: readonly unknown[], options: Readonly<Record<string, unknown>>) {
  const positional = tool.command?.positional ?? [];
  const entries = fieldsOf(tool).map((field) => {
    const at = positional.indexOf(field.name);
    const value = at === -1 ? options[camel(field.flag)] : given[at];
    return [field.name, value === undefined ? undefined : read(field.kind, value)] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** How a person gives a field: `--min-score`, or the name of its place. */
export function flagOf(tool: Tool, field: string): string {
  const [first = field] = field.split(".");
  return tool.command?.positional?.includes(first)
    ? kebab(first).toUpperCase()
    : `--${tool.command?.flags?.[first] ?? kebab(first)}`;
}

function fieldsOf(tool: Tool): readonly Field[] {
  const schema = z.toJSONSchema(tool.input, { io: "input", unrepresentable: "any" });
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const shape = typeof property === "object" ? property : {};
    return {
      name,
      flag: tool.command?.flags?.[name] ?? kebab(name),
      kind: kindOf(shape),
      isListed: typeof shape.items === "object" && !Array.isArray(shape.items) && "enum" in shape.items,
      description: describe(shape),
      isRequired: schema.required?.includes(name) ?? false,
      fallback: shape.default,
    };
  });
}

type Shape = Exclude<z.core.JSONSchema._JSONSchema, boolean>;

function kindOf(shape: Shape): Kind {
  const options = [...(shape.anyOf ?? []), ...(shape.oneOf ?? [])].filter(
    (option): option is Shape => typeof option === "object" && option.type !== "null",
  );
  const only = options.length === 1 ? options[0] : undefined;
  if (only) return kindOf(only);
  if (options.length > 1) return options.every((option) => option.type === "string") ? "text" : "json";
  if (shape.type === "boolean") return "boolean";
  if (shape.type === "number" || shape.type === "integer") return "number";
  if (shape.type === "array") return isText(shape.items) ? "texts" : "json";
  return shape.type === "object" ? "json" : "text";
}

const isText = (items: Shape["items"]) =>
  typeof items === "object" && !Array.isArray(items) && items.type === "string";

function describe(shape: Shape): string {
  const choices = shape.enum?.map(String).join(", ");
  const text = shape.description ?? "";
  return choices === undefined || text.includes(choices) ? text : `${text} (${choices})`.trim();
}

function optionsOf({ flag, kind, description, fallback, isListed }: Field): readonly Option[] {
  if (kind === "boolean") {
    const yes = new Option(`--${flag}`, description);
    const no = new Option(`--no-${flag}`, `Not: ${description}`);
    return fallback === true ? [yes.hideHelp(), no] : [yes, no.hideHelp()];
  }
  const shown = fallback === undefined || kind === "json" ? "" : ` [default: ${String(fallback)}]`;
  const placeholder = { number: "N", text: "TEXT", texts: "TEXT", json: "JSON" }[kind];
  const option = new Option(
    `--${flag} <${placeholder}>`,
    `${description}${shown}${kind === "texts" ? " (repeatable)" : ""}`,
  );
  if (kind !== "texts") return [option];
  return [
    option.argParser((value: string, before: readonly string[] | undefined) => [
      ...(before ?? []),
      ...(isListed ? value.split(",") : [value]),
    ]),
  ];
}

function read(kind: Kind, value: unknown): unknown {
  if (typeof value !== "string") return value;
  // As people write numbers: `1e3` and `0x10` are more likely mistakes.
  if (kind === "number") return /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
  if (kind !== "json") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const kebab = (name: string) => name.replaceAll("_", "-").toLowerCase();
const camel = (name: string) =>
  kebab(name).replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
