import { z } from "zod";
import type { Tool } from "../../core/tool.ts";
import { CONTRACT_STATUSES } from "../contract-errors.ts";
import { ROOM_SUMMARY, ROOMS } from "../rooms.ts";
import type { HttpPage } from "./http-page.ts";
import { routeOf, routeOfView } from "./routes.ts";

interface OpenApiOptions {
  readonly version: string;
  /** Where this server answers, such as `http://127.0.0.1:7331`. */
  readonly origin: string;
  readonly hasToken: boolean;
  readonly page?: Pick<HttpPage, "tools" | "paths"> | undefined;
}
type OpenApiSchema = Readonly<Record<string, unknown>>;

const ERROR = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message"],
      properties: { code: { type: "string" }, message: { type: "string" } },
    },
  },
} as const;

/** What each failing status means; a status without a row is still listed. */
const MEANING: Readonly<Record<number, string>> = {
  400: "The request or its input is wrong",
  401: "The bearer token is missing or wrong",
  403: "The request comes from another host or site",
  404: "What was asked for does not exist",
  405: "The route does not take this method",
  409: "The project is not indexed, or two changes conflict",
  413: "The body is too large",
  415: "The body is not application/json",
  500: "A bug in contextful; the log on stderr has the cause",
  503: "Busy, or something it needs cannot be reached: try again",
};
/** What the server refuses before a tool sees the call. */
const REFUSALS = [400, 403, 405, 413, 415] as const;

/** The document of `GET /openapi.json`, made from the tools. */
export function openApi(tools: readonly Tool[], { version, origin, hasToken, page }: OpenApiOptions) {
  const shared: Record<string, OpenApiSchema> = { Error: ERROR };
  const statuses = new Set([...CONTRACT_STATUSES, ...REFUSALS, ...(hasToken ? [401] : [])]);
  const failures = Object.fromEntries(
    [...statuses].toSorted((a, b) => a - b).map((status) => [status, failure(status)]),
  );
  const paths = Object.fromEntries(
    [...tools, ...(page?.tools ?? [])].flatMap((tool) => {
      const { method, path } = routeOf(tool);
      const own = [path, { [method.toLowerCase()]: operation(tool, { method, shared, failures }) }] as const;
      const { agentView: view } = tool;
      if (!view) return [own];
      const { name, description, form: input } = view;
      const { title: _title, ...viewed } = { ...tool, name, description, input };
      return [
        own,
        [routeOfView(view).path, { post: operation(viewed, { method: "POST", shared, failures }) }],
      ];
    }),
  );
  const used = ROOMS.filter((room) => tools.some((tool) => tool.room === room));
  return {
    openapi: "3.1.0",
    info: { title: "Contextful", version, description: "The tools of Contextful over plain HTTP." },
    servers: [{ url: origin, description: "This server" }],
    tags: [
      ...used.map((room) => ({ name: room, description: ROOM_SUMMARY[room] })),
      ...(page ? [{ name: "page", description: "What only the page for people may call" }] : []),
    ],
    ...(hasToken ? { security: [{ token: [] }] } : {}),
    paths: { ...paths, ...page?.paths },
    components: { schemas: shared, securitySchemes: { token: { type: "http", scheme: "bearer" } } },
  };
}

/** A tool, or its agent view: the same answer for other fields. */
type DocumentedTool = Pick<Tool, "room" | "name" | "title" | "description" | "audience" | "input" | "output">;
interface DocumentParts {
  readonly method: "GET" | "POST";
  /** Schemas that operations refer to; each operation adds its own. */
  readonly shared: Record<string, OpenApiSchema>;
  readonly failures: Readonly<Record<string, unknown>>;
}

function operation(tool: DocumentedTool, { method, shared, failures }: DocumentParts) {
  const body = (direction: "input" | "output") => ({
    "application/json": { schema: schemaOf(tool, direction, shared) },
  });
  return {
    operationId: tool.name,
    summary: tool.title ?? tool.name,
    description: tool.description,
    tags: [tool.audience === "people" ? "page" : tool.room],
    ...(method === "POST" ? { requestBody: { required: true, content: body("input") } } : {}),
    responses: { 200: { description: "The result", content: body("output") }, ...failures },
  };
}

const failure = (status: number) => ({
  description: MEANING[status] ?? "A failure",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
});

/** zod puts shared parts under `$defs` of each schema, and calls the whole `#`; in one document both must be components. */
function schemaOf(
  tool: DocumentedTool,
  direction: "input" | "output",
  shared: Record<string, OpenApiSchema>,
): OpenApiSchema {
  const schema = z.toJSONSchema(tool[direction], { io: direction, unrepresentable: "any" });
  const prefix = `${tool.name.replace(/[^A-Za-z0-9_]/g, "_")}_${direction}`;
  const plain = JSON.stringify(schema);
  const self = { $ref: `#/components/schemas/${prefix}` };
  const text = plain
    .replaceAll('"$ref":"#/$defs/', `"$ref":"#/components/schemas/${prefix}`)
    .replaceAll('"$ref":"#"', `"$ref":"${self.$ref}"`);
  const {
    $schema: _dialect,
    $defs = {},
    ...rest
  }: { $schema?: string; $defs?: Record<string, OpenApiSchema> } = JSON.parse(text);
  for (const [name, part] of Object.entries($defs)) shared[`${prefix}${name}`] = part;
  if (!plain.includes('"$ref":"#"')) return rest;
  shared[prefix] = rest;
  return self;
}
