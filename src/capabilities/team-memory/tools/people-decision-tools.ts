import { z } from "zod";
import { defineTool } from "../../../core/tool.ts";
import { MemoryDecision, Removal } from "../entries/schemas.ts";
import { type LoadMemory, meant, notFoundExit } from "./schemas.ts";

/** Commands for decisions. */
export const peopleDecisionTools = (memory: LoadMemory) => [
  defineTool({
    room: "team-memory",
    name: "memory_decision_get",
    description: "Print one decision.",
    effect: "reads",
    audience: "people",
    command: { words: "decision get", positional: ["id"], examples: ["contextful memory decision get 3"] },
    input: z.object({ id: z.string().describe("Id or title") }),
    output: MemoryDecision,
    run: async ({ id }) => (await memory()).getDecision(id),
    show: (one) =>
      `${one.id}  ${one.title} (${one.status}, ${one.date})\n\nContext\n${one.context}\n\nDecision\n${one.decision}\n\nConsequences\n${one.consequences}`,
  }),
  defineTool({
    room: "team-memory",
    name: "memory_decision_list",
    description: "List the decisions.",
    effect: "reads",
    audience: "people",
    command: { words: "decision list", examples: ["contextful memory decision list"] },
    input: z.object({}),
    output: z.array(MemoryDecision),
    run: async () => (await memory()).listDecisions(),
    show: (decisions) =>
      decisions
        .map(
          ({ id, title, status, scope, suspect }) =>
            `${id}  ${title}  ${status}  ${scope}${suspect ? "  suspect" : ""}`,
        )
        .join("\n") || "Nothing yet.",
  }),
  defineTool({
    room: "team-memory",
    name: "memory_decision_rm",
    description: "Remove a decision. Its id is not used again.",
    effect: "writes",
    audience: "people",
    command: {
      words: "decision rm",
      positional: ["id"],
      examples: ["contextful memory decision rm 3"],
      exitCode: notFoundExit,
    },
    input: z.object({ id: z.string().describe("Id or title") }),
    output: Removal.extend({ id: z.string() }),
    run: async ({ id }) => ({
      ...(await (await memory()).removeDecision(id)),
      id,
    }),
    show: ({ status, id, did_you_mean }) =>
      status === "removed" ? `Removed decision ${id}` : `No decision '${id}'${meant(did_you_mean)}`,
  }),
];
