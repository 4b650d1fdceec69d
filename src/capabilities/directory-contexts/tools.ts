import { isAbsolute, relative } from "node:path";
import { z } from "zod";
import { defineAgentView, defineTool, type Tool } from "../../core/tool.ts";
import { CheckAnswer, ListAnswer, QueryAnswer } from "./answers.ts";
import type { Contexts } from "./contexts.ts";

const scope = z
  .string()
  .describe('Directory relative to the project root, such as "src/core"; "." is the root itself');
const path = z.string().optional().describe("Another project's root instead of the one this server serves");

/** Fields that say how a context is kept, not what its directory is for. */
const KEPT_BY_TOOLS: ReadonlySet<string> = new Set([
  "version",
  "fingerprint",
  "last_updated",
  "derived_fields",
  "maintenance",
]);

/** `query_context` for agents: the root by default, and one line for each field. */
const agentQuery = defineAgentView({
  name: "directory_context",
  description:
    "Read what a directory of this project is for: its summary, files, exports, decisions and constraints, as the team described them. Use it before you change code in a directory you do not know.",
  form: z.object({
    directory: z.string().default(".").describe("Relative to the project; default: the project itself"),
    fields: z.array(z.string()).optional().describe("Only these fields, such as summary or exports"),
  }),
  toInput: ({ directory, fields }, { root }) => ({
    scope: isAbsolute(directory) ? relative(root, directory) || "." : directory,
    filter: fields,
    check: true,
  }),
  show: ({ error, context = {} }: QueryAnswer) => error ?? showFields(context),
});

const showFields = (context: Readonly<Record<string, unknown>>): string =>
  Object.entries(context)
    .filter(([name]) => !KEPT_BY_TOOLS.has(name))
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n");

/** The contract's three tools. */
export const contextTools = (contexts: () => Promise<Contexts>): Tool[] => [
  defineTool({
    room: "directory-contexts",
    name: "list_contexts",
    title: "List Contexts",
    description:
      "List the project's directories with a one-line summary each and whether that description is fresh, stale or missing. Call it first to learn which scopes exist.",
    effect: "reads",
    command: { words: "list", examples: ["contextful directories list"] },
    input: z.object({ path }),
    output: ListAnswer,
    run: async (input, call) => (await contexts()).list(input.path, call.signal),
    show: ({ entries, error }) =>
      error ??
      entries
        .map((entry) => `${entry.state.padEnd(7)}  ${entry.scope}  ${entry.summary ?? ""}`.trimEnd())
        .join("\n"),
    failed: ({ error }) => error !== undefined,
  }),
  defineTool({
    room: "directory-contexts",
    name: "check_freshness",
    title: "Check Freshness",
    description:
      "Tell whether the description of one directory still matches its files. Stale means files changed since it was written; content_changed false means only their times did.",
    effect: "reads",
    input: z.object({ scope, path }),
    output: CheckAnswer,
    run: async (input, call) => (await contexts()).check(input.scope, input.path, call.signal),
    show: ({ error, state, content_changed }) =>
      error ??
      (content_changed === false ? `${state} (content unchanged since the context was written)` : state),
    failed: ({ error }) => error !== undefined,
  }),
  defineTool({
    room: "directory-contexts",
    name: "query_context",
    title: "Query Context",
    description:
      "Read what one directory is for: summary, exports, decisions, constraints, dependencies and more. Name fields in filter to get only those beside the metadata.",
    effect: "reads",
    command: {
      words: "query",
      positional: ["scope"],
      examples: ["contextful directories query src/core --filter summary --filter exports"],
      next: ({ found }) => (found ? undefined : { tool: "list_contexts" }),
    },
    agentView: agentQuery,
    input: z.object({
      scope,
      filter: z
        .array(z.string())
        .optional()
        .describe(
          "Fields to include: summary, files, interfaces, decisions, constraints, dependencies, current_state, subdirectories, environment, testing, todos, data_models, events, config, project, structure, maintenance, exports",
        ),
      path,
    }),
    viewInput: z.object({
      check: z.boolean().default(false).describe("Also say if files have changed since it was written"),
    }),
    output: QueryAnswer,
    run: async ({ check = false, scope, filter = [], path }, call) =>
      check
        ? (await contexts()).queryAndCheck({ scope, filter, path }, call)
        : (await contexts()).query(scope, filter, path),
    show: ({ error, context }) => error ?? JSON.stringify(context, null, 2),
    failed: ({ found }) => !found,
  }),
];
