import { z } from "zod";
import { defineTool } from "../../../core/tool.ts";
import type { LoadMemory } from "./schemas.ts";

const id = z.string().describe("The session's id, or the start of it");

/** Commands for state and sessions. */
export const peopleStateTools = (memory: LoadMemory) => [
  defineTool({
    room: "team-memory",
    name: "memory_state_get",
    description: "Print what is being worked on here.",
    effect: "reads",
    audience: "people",
    command: { words: "state get", examples: ["contextful memory state get"] },
    input: z.object({}),
    output: z.json(),
    run: async () => z.json().parse((await memory()).state()),
    show: (state) => JSON.stringify(state, null, 2),
  }),
  defineTool({
    room: "team-memory",
    name: "memory_state_rm",
    description: "Forget the current task and remove every ephemeral entry.",
    effect: "writes",
    audience: "people",
    command: { words: "state rm", examples: ["contextful memory state rm"] },
    input: z.object({}),
    output: z.object({ status: z.literal("ok"), removed: z.array(z.string()) }),
    run: async () => ({ status: "ok" as const, ...(await (await memory()).clearState()) }),
    show: ({ removed }) => ["State cleared", ...removed.map((file) => `removed ${file}`)].join("\n"),
  }),
  defineTool({
    room: "team-memory",
    name: "memory_session_list",
    description: "List the last sessions, oldest first.",
    effect: "reads",
    audience: "people",
    command: { words: "session list", examples: ["contextful memory session list --limit 5"] },
    input: z.object({ limit: z.int().min(1).max(200).default(20).describe("Most sessions to list") }),
    output: z.json(),
    run: async ({ limit }) => z.json().parse((await memory()).sessions(limit)),
    show: (sessions) =>
      Array.isArray(sessions) && sessions.length === 0 ? "Nothing yet." : JSON.stringify(sessions, null, 2),
  }),
  defineTool({
    room: "team-memory",
    name: "memory_session_get",
    description: "Print one session.",
    effect: "reads",
    audience: "people",
    command: { words: "session get", positional: ["id"], examples: ["contextful memory session get 3f2a"] },
    input: z.object({ id }),
    output: z.json(),
    run: async (input) => z.json().parse((await memory()).getSession(input.id)),
    show: (session) => JSON.stringify(session, null, 2),
  }),
  defineTool({
    room: "team-memory",
    name: "memory_session_rm",
    description: "Remove one session from the history.",
    effect: "writes",
    audience: "people",
    command: { words: "session rm", positional: ["id"], examples: ["contextful memory session rm 3f2a"] },
    input: z.object({ id }),
    output: z.object({ status: z.literal("removed"), id: z.string() }),
    run: async (input) => ({
      status: "removed" as const,
      id: await (await memory()).removeSession(input.id),
    }),
    show: (output) => `Removed session ${output.id}`,
  }),
];
