import { z } from "zod";
import { defineAgentView, defineCommand, defineTool } from "../../../core/tool.ts";
import { NewDecision, RecordedDecision, ScopeAnswer } from "../entries/schemas.ts";
import { AllowSecret, type LoadMemory, showRelated } from "./schemas.ts";

const entryType = z.string().describe("knowledge, decision, convention or skill");
const entryKey = z.string().describe("Key, decision id or title, or skill name");

const RecordedAnswer = z.object({ status: z.literal("ok"), ...RecordedDecision.shape });

/** `context_record_decision` for agents. */
const agentDecision = defineAgentView({
  name: "decision_add",
  description:
    "Record a decision about this project, with the reason for it, so that nobody has to guess it later; use it when you or the user choose between alternatives. Returns its number, similar entries and decisions it goes against.",
  form: NewDecision.omit({ anchors: true }),
  show: showRecorded,
});

const addCommand = defineCommand({
  words: "decision add",
  description: "Record a decision with the next free id.",
  positional: ["title"],
  examples: [
    'contextful memory decision add "Use PostgreSQL" --context "Need ACID" --decision "PostgreSQL 16"',
  ],
  form: NewDecision.extend({ allow_secret: AllowSecret }),
});

/** Decisions, state, history and scopes, as the contract names them. */
export const stateTools = (memory: LoadMemory) => [
  defineTool({
    room: "team-memory",
    name: "context_record_decision",
    title: "Record decision",
    description:
      "Record an architectural decision with the reason for it and what follows from it. It gets the next free id; answers with id and title.",
    effect: "writes",
    agentView: agentDecision,
    command: addCommand,
    input: NewDecision,
    viewInput: z.object({ allow_secret: AllowSecret }),
    output: RecordedAnswer,
    run: async ({ allow_secret: allowSecret, ...decision }, { actor, signal }) => ({
      status: "ok" as const,
      ...(await (await memory()).recordDecision(decision, { actor, signal, allowSecret })),
    }),
    show: showRecorded,
  }),
  defineTool({
    room: "team-memory",
    name: "context_update_state",
    title: "Update state",
    description:
      "Say what you are working on and what blocks you. Fields that are left out stay as they are.",
    effect: "writes",
    command: {
      words: "state set",
      examples: ['contextful memory state set --current-task "Auth middleware" --blockers "API spec"'],
    },
    input: z.object({
      current_task: z.string().default("").describe("Empty: no change"),
      blockers: z.string().optional().describe("Comma-separated; empty clears them, left out: no change"),
    }),
    output: z.object({ status: z.literal("ok"), current_task: z.string(), blockers: z.array(z.string()) }),
    run: async (input, { actor, signal }) => {
      const { current_task, blockers } = await (await memory()).updateState(input, { actor, signal });
      return { status: "ok" as const, current_task, blockers };
    },
    show: ({ current_task, blockers }) =>
      [`Task: ${current_task || "none"}`, ...blockers.map((blocker) => `Blocked by: ${blocker}`)].join("\n"),
  }),
  defineTool({
    room: "team-memory",
    name: "context_append_session",
    title: "Append session",
    description:
      "Add a summary of this session to the team's history, so that the next agent knows what was done.",
    effect: "writes",
    command: {
      words: "session add",
      examples: ['contextful memory session add --summary "Set up the schema"'],
    },
    input: z.object({
      agent: z.string().default("").describe("Who worked; default: the caller"),
      summary: z.string().default("").describe("What was done"),
      knowledge_added: z.string().default("").describe("Comma-separated keys"),
      decisions_added: z.string().default("").describe("Comma-separated decision ids"),
    }),
    output: z.object({ status: z.literal("ok"), session_id: z.string() }),
    run: async (input, { actor, signal }) => ({
      status: "ok" as const,
      session_id: (await (await memory()).appendSession(input, { actor, signal })).id,
    }),
    show: ({ session_id }) => `Recorded session ${session_id}`,
  }),
  defineTool({
    room: "team-memory",
    name: "context_get_scope",
    title: "Get scope",
    description: "Tell whether an entry is public (shared), private (this machine only) or ephemeral.",
    effect: "reads",
    command: {
      words: "scope get",
      positional: ["entry_type", "key"],
      examples: ["contextful memory scope get knowledge architecture"],
    },
    input: z.object({ entry_type: entryType, key: entryKey }),
    output: ScopeAnswer,
    run: async ({ entry_type, key }) => (await memory()).getScope(entry_type, key),
    show: ({ scope }) => scope,
  }),
  defineTool({
    room: "team-memory",
    name: "context_set_scope",
    title: "Set scope",
    description:
      "Make an entry public, private or ephemeral. Only public entries are ever synced or exported.",
    effect: "writes",
    command: {
      words: "scope set",
      positional: ["entry_type", "key", "scope"],
      examples: ["contextful memory scope set knowledge architecture private"],
    },
    input: z.object({
      entry_type: entryType,
      key: entryKey,
      scope: z.string().describe("public, private or ephemeral"),
    }),
    output: z.object({ status: z.literal("ok"), ...ScopeAnswer.shape }),
    run: async ({ entry_type, key, scope }, { actor, signal }) => ({
      status: "ok" as const,
      ...(await (await memory()).setScope({ type: entry_type, key, scope }, { actor, signal })),
    }),
    show: ({ key, scope }) => `${key} is ${scope}`,
  }),
];

function showRecorded({ id, title, ...found }: z.output<typeof RecordedAnswer>): string {
  return [`Recorded decision ${id}: ${title}`, ...showRelated(found)].join("\n");
}
