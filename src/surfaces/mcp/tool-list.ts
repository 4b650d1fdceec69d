import { z } from "zod";
import type { App } from "../../core/room-offer.ts";
import type { Tool } from "../../core/tool.ts";
import { keptList } from "./opening.ts";
import { type NamedTool, type Serving, toolsOf } from "./profiles.ts";

type ToolJsonSchema = Readonly<Record<string, unknown>>;
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object" } & ToolJsonSchema;
  readonly outputSchema?: { readonly type: "object" } & ToolJsonSchema;
  readonly annotations: Readonly<Record<string, boolean>>;
}

/**
 * The tool of the lean list that leads to the others. It also calls them, because many clients let a model call only
 * what is listed.
 */
export const MORE_TOOLS: ListedTool = {
  name: "more_tools",
  description:
    "List, describe or call the other tools of this server: the rest of team memory (conventions, skills, state, sync), all directory contexts, caches, index status, code navigation (find_symbol, call_graph, outline). Without arguments it lists them; with a tool it shows its parameters, with arguments too it calls it.",
  inputSchema: {
    type: "object",
    properties: {
      tool: { type: "string", description: "Name of the tool" },
      arguments: { type: "object", description: "Its arguments; {} if it needs none" },
    },
  },
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
};

/** The tool definitions that a client gets. */
export function definitions(app: App, { profile, names }: Serving): readonly ListedTool[] {
  // The lean list has our own names and the safe ones. It leaves out titles and output schemas: a third of the tokens.
  const isLean = profile === "lean";
  const list = toolsOf({ profile, names }, app.tools).map((named) => listed(named, !isLean));
  const spoken = names === "safe" || isLean ? list.map((tool) => withSafeNames(tool, app.tools)) : list;
  return isLean ? [...spoken, MORE_TOOLS] : spoken;
}

/** Descriptions mention other tools by the names that are listed. */
function withSafeNames(listed: ListedTool, tools: readonly Tool[]): ListedTool {
  const text = tools.reduce(
    (spoken, { name, safeName = name }) => spoken.replaceAll(name, safeName),
    JSON.stringify({ description: listed.description, inputSchema: listed.inputSchema }),
  );
  return { ...listed, ...JSON.parse(text) };
}

function listed({ name, tool, view }: NamedTool, isWhole: boolean): ListedTool {
  const { inputSchema, outputSchema } = schemasOf({ name, tool, ...(view && { view }) });
  return {
    name,
    ...(tool.title === undefined || view || !isWhole ? {} : { title: tool.title }),
    description: view?.description ?? tool.description,
    inputSchema,
    ...(outputSchema === undefined || !isWhole ? {} : { outputSchema }),
    annotations:
      tool.effect === "reads"
        ? { readOnlyHint: true, openWorldHint: false }
        : { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  };
}

type ToolSchemas = Pick<ListedTool, "inputSchema" | "outputSchema">;
let kept: ReadonlyMap<string, ToolSchemas> | undefined;

/** The schemas that the build kept; none if we run from source. */
function keptSchemas(): ReadonlyMap<string, ToolSchemas> {
  kept ??= new Map(
    keptList({ profile: "all", names: "contract" })?.tools.map((tool) => [tool.name, tool] as const),
  );
  return kept;
}

/** Made when they are needed, not at the start, because most processes list once. An agent view answers with text alone. */
export function schemasOf({ tool, view }: NamedTool): ToolSchemas {
  const known = keptSchemas().get(view?.name ?? tool.name);
  if (known) return known;
  const form = view?.form ?? tool.input;
  const input = lean(z.toJSONSchema(form, { io: "input", unrepresentable: "any" }), true);
  const output = view ? undefined : schemaOfOutput(tool);
  return { inputSchema: { ...input, type: "object" }, ...(output && { outputSchema: output }) };
}

/** Only for outputs that are always an object: the protocol requires that. */
function schemaOfOutput(tool: Tool): ({ readonly type: "object" } & ToolJsonSchema) | undefined {
  if (tool.forModel !== undefined) return undefined;
  const schema = z.toJSONSchema(tool.output, { io: "output", unrepresentable: "any" });
  if (schema.type !== "object") return undefined;
  const { properties = {}, $defs: _shared, ...rest } = lean(schema, false);
  const fields = isObject(properties) ? Object.entries(properties) : [];
  return {
    ...rest,
    type: "object",
    properties: Object.fromEntries(fields.map(([name, field]) => [name, shallow(field)])),
  };
}

/** The fields of an answer with their types. What is inside them can be read in the answer, and would cost a model a thousand tokens. */
function shallow(field: unknown): unknown {
  if (!isObject(field)) return field;
  return "properties" in field || "items" in field ? { type: field["type"] } : field;
}

const LARGEST = Number.MAX_SAFE_INTEGER;

/** Drops what costs tokens and tells a model nothing: dialect, the bounds of any integer, closed objects, our notes on outputs. */
function lean(schema: ToolJsonSchema, isInput: boolean): ToolJsonSchema {
  const dropped = (key: string, value: unknown) =>
    key === "$schema" ||
    (key === "additionalProperties" && (value === false || (!isInput && isEmpty(value)))) ||
    (key === "maximum" && value === LARGEST) ||
    (key === "minimum" && value === -LARGEST) ||
    (key === "description" && !isInput && typeof value === "string");
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !dropped(key, value))
      .map(([key, value]) => [key, leanValue(value, isInput)]),
  );
}

const leanValue = (value: unknown, isInput: boolean): unknown => {
  if (Array.isArray(value)) return value.map((item) => leanValue(item, isInput));
  return isObject(value) ? lean(withoutUnion(value), isInput) : value;
};

/** Writes "this or null" in JSON Schema's short form. */
function withoutUnion(schema: ToolJsonSchema): ToolJsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [only, none]: readonly unknown[] = anyOf;
  const isNullable =
    isObject(only) && isObject(none) && none["type"] === "null" && typeof only["type"] === "string";
  if (!isNullable || "enum" in only || "const" in only) return schema;
  return { ...rest, ...only, type: [only["type"], "null"] };
}

const isObject = (value: unknown): value is ToolJsonSchema => typeof value === "object" && value !== null;
const isEmpty = (value: unknown) => isObject(value) && Object.keys(value).length === 0;
