import { type Command as CliCommand, Option } from "commander";
import { z } from "zod";
import { type Command, formOf, type Tool } from "../../core/tool.ts";

type FieldKind = "boolean" | "number" | "text" | "texts" | "json";
interface FormField {
  readonly name: string;
  /** Its name on the command line. */
  readonly flag: string;
  readonly kind: FieldKind;
  /** Its values are words of a fixed list, so one flag may hold several: `a,b`. */
  readonly isListed: boolean;
  readonly description: string;
  readonly isRequired: boolean;
  readonly fallback: unknown;
}

/** Gives a command the positional arguments and flags of its form. */
export function addFlags(cliCommand: CliCommand, tool: Tool, command: Command): void {
  const { positional = [] } = command;
  const fields = fieldsOf(tool, command);
  for (const name of positional) {
    const field = fields.find((known) => known.name === name);
    if (!field) throw new Error(`${tool.name} has no input field ${name} to give by position.`);
    const word = kebab(name).toUpperCase() + (field.kind === "texts" ? "..." : "");
    cliCommand.argument(field.isRequired ? `<${word}>` : `[${word}]`, field.description);
  }
  for (const field of fields) {
    const isPositional = positional.includes(field.name);
    if (isPositional && (field.isRequired || field.kind === "texts")) continue;
    // What may be left out can also be given by name, as in `--path DIR`.
    for (const option of optionsOf(field)) cliCommand.addOption(isPositional ? option.hideHelp() : option);
  }
}

/** The form's values as they were typed. Text that is not a number stays text, and the schema says what is wrong. */
export function inputOf(
  { tool, command }: { readonly tool: Tool; readonly command: Command },
  given: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
) {
  const { positional = [] } = command;
  const entries = fieldsOf(tool, command).map((field) => {
    const at = positional.indexOf(field.name);
    const value = (at === -1 ? undefined : given[at]) ?? options[camel(field.flag)];
    return [field.name, value === undefined ? undefined : read(field.kind, value)] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** How a person gives a field: a flag such as `--min-score`, or the name of a positional argument. */
export function flagOf({ positional = [], flags }: Command, field: string): string {
  const [first = field] = field.split(".");
  return positional.includes(first) ? kebab(first).toUpperCase() : `--${flags?.[first] ?? kebab(first)}`;
}

function fieldsOf(tool: Tool, command: Command): readonly FormField[] {
  const schema = z.toJSONSchema(formOf(tool, command), { io: "input", unrepresentable: "any" });
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const shape = typeof property === "object" ? property : {};
    return {
      name,
      flag: command.flags?.[name] ?? kebab(name),
      kind: kindOf(shape),
      isListed: typeof shape.items === "object" && !Array.isArray(shape.items) && "enum" in shape.items,
      description: describe(shape),
      isRequired: schema.required?.includes(name) ?? false,
      fallback: shape.default,
    };
  });
}

type FieldSchema = Exclude<z.core.JSONSchema._JSONSchema, boolean>;

function kindOf(shape: FieldSchema): FieldKind {
  const options = [...(shape.anyOf ?? []), ...(shape.oneOf ?? [])].filter(
    (option): option is FieldSchema => typeof option === "object" && option.type !== "null",
  );
  const only = options.length === 1 ? options[0] : undefined;
  if (only) return kindOf(only);
  if (options.length > 1) return options.every((option) => option.type === "string") ? "text" : "json";
  if (shape.type === "boolean") return "boolean";
  if (shape.type === "number" || shape.type === "integer") return "number";
  if (shape.type === "array") return isText(shape.items) ? "texts" : "json";
  return shape.type === "object" ? "json" : "text";
}

const isText = (items: FieldSchema["items"]) =>
  typeof items === "object" && !Array.isArray(items) && items.type === "string";

function describe(shape: FieldSchema): string {
  const choices = shape.enum?.map(String).join(", ");
  const text = shape.description ?? "";
  return choices === undefined || text.includes(choices) ? text : `${text} (${choices})`.trim();
}

function optionsOf({ flag, kind, description, fallback, isListed }: FormField): readonly Option[] {
  if (kind === "boolean") {
    const yes = new Option(`--${flag}`, description);
    const no = new Option(
      `--no-${flag}`,
      `Do not ${description.charAt(0).toLowerCase()}${description.slice(1)}`,
    );
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

function read(kind: FieldKind, value: unknown): unknown {
  if (typeof value !== "string") return value;
  // Numbers as people write them: `1e3` and `0x10` are more likely mistakes.
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
