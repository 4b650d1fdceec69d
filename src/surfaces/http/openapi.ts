import { z } from "zod";
import type { Tool } from "../../core/tool.ts";
import { routeOf } from "./routes.ts";

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

/** The document of `GET /openapi.json`, made from the tools themselves. */
export function openApi(tools: readonly Tool[], version: string) {
  return {
    openapi: "3.1.0",
    info: { title: "Contextful", version, description: "The tools of Contextful over plain HTTP." },
    paths: Object.fromEntries(tools.map((tool) => [routeOf(tool).path, operations(tool)])),
    components: {
      schemas: { Error: ERROR },
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
  };
}

function operations(tool: Tool) {
  const { method } = routeOf(tool);
  const failure = {
    description: "A failure",
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
  };
  return {
    [method.toLowerCase()]: {
      operationId: tool.name,
      summary: tool.title ?? tool.name,
      description: tool.description,
      tags: [tool.room],
      ...(method === "POST"
        ? {
            requestBody: {
              required: true,
              content: { "application/json": { schema: schemaOf(tool.input, "input") } },
            },
          }
        : {}),
      responses: {
        200: {
          description: "The result",
          content: { "application/json": { schema: schemaOf(tool.output, "output") } },
        },
        400: failure,
        404: failure,
        500: failure,
      },
    },
  };
}

function schemaOf(schema: z.ZodType, io: "input" | "output") {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}
