import { z } from "zod";
import { DomainError } from "../../core/errors.ts";
import type { App } from "../../core/room-offer.ts";
import { defineTool, type Tool } from "../../core/tool.ts";
import type { CallLog } from "../call-log.ts";
import { clientEntries } from "./client-entries.ts";
import { highlight } from "./highlight.ts";
import { overview, PageOverview } from "./overview.ts";
import { ProjectMap, projectMap } from "./project-map.ts";
import { RoomStates, roomStates } from "./room-states.ts";
import { toolCaller } from "./tool-caller.ts";

const Summary = z.object({
  id: z.int(),
  at: z.string(),
  surface: z.enum(["mcp", "http"]),
  client: z.string(),
  tool: z.string(),
  question: z.string(),
  isError: z.boolean(),
  milliseconds: z.number(),
  tokens: z.int(),
  hits: z.int().optional(),
  paths: z.array(z.string()).readonly(),
});
const Finding = z.object({ name: z.string(), state: z.enum(["ok", "note", "problem"]), detail: z.string() });
const MAX_HIGHLIGHTED = 50;

interface PageServing {
  readonly calls: CallLog;
  readonly version: string;
}

/** What the page needs and no room offers. */
export const pageTools = (app: App, { calls }: PageServing): readonly Tool[] => [
  pageTool({
    name: "page_overview",
    description: "The served project, its index, the languages in it, and how far the index is behind.",
    input: z.object({}),
    output: PageOverview,
    run: (_, { signal }) => overview(app, signal),
  }),
  pageTool({
    name: "page_rooms",
    description: "What each room holds, and the command that fills it.",
    input: z.object({}),
    output: RoomStates,
    run: (_, { signal }) => roomStates(toolCaller(app, signal), app.machine.root),
  }),
  pageTool({
    name: "page_doctor",
    description: "The findings of contextful doctor.",
    input: z.object({}),
    output: z.object({ findings: z.array(Finding).readonly() }),
    async run() {
      const { machineFindings } = await import("../machine-findings.ts");
      const { root, home } = app.machine;
      return { findings: [...(await machineFindings(root, home)), ...(await app.doctor())] };
    },
  }),
  pageTool({
    name: "page_clients",
    description: "The entry of this server for the configuration of each client, as setup writes it.",
    input: z.object({}),
    output: z.object({ clients: z.array(z.object({ id: z.string(), entry: z.string() })) }),
    run: async (_, { signal }) => ({ clients: await clientEntries(toolCaller(app, signal)) }),
  }),
  pageTool({
    name: "page_map",
    description:
      "The indexed files with lines, symbols and changes, and the state of each directory's context.",
    input: z.object({}),
    output: ProjectMap,
    run: (_, { signal }) => projectMap(app, signal),
  }),
  pageTool({
    name: "page_calls",
    description: "The last tool calls that this server answered, oldest first.",
    input: z.object({}),
    output: z.object({ calls: z.array(Summary).readonly() }),
    run: async () => ({ calls: await calls.list() }),
  }),
  pageTool({
    name: "page_call",
    description: "One tool call with its input and exactly what the client received.",
    input: z.object({ id: z.int() }),
    output: Summary.extend({ input: z.unknown(), given: z.string() }),
    async run({ id }) {
      const call = await calls.find(id);
      if (call) return call;
      throw new DomainError("not_found", `Call ${id} is no longer in memory.`);
    },
  }),
  highlightTool,
];

type PageTool<In extends z.ZodObject, Out extends z.ZodType> = Pick<
  Tool<In, Out>,
  "name" | "description" | "input" | "output" | "run"
>;

/** A tool of this surface: it reads, and only the page calls it. */
const pageTool = <In extends z.ZodObject, Out extends z.ZodType>(tool: PageTool<In, Out>): Tool<In, Out> =>
  defineTool<In, Out>({ room: "page", effect: "reads", audience: "people", show: () => "", ...tool });

export const highlightTool: Tool = pageTool({
  name: "page_highlight",
  description: "The spans of source texts by kind, from their syntax trees.",
  input: z.object({
    sources: z.array(z.object({ path: z.string(), text: z.string().max(200_000) })).max(MAX_HIGHLIGHTED),
  }),
  output: z.object({ spans: z.array(z.array(z.tuple([z.int(), z.int(), z.string()]))) }),
  run: async ({ sources }) => ({ spans: await Promise.all(sources.map(highlight)) }),
});
