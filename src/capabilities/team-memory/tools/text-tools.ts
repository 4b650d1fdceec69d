import { z } from "zod";
import { memoryTool, notFoundExit } from "../answers.ts";
import {
  AnchorsInput,
  type LoadMemory,
  Scope,
  ScopeInput,
  SimilarEntries,
  TextEntry,
  Warnings,
} from "./schemas.ts";

const Added = z.object({
  status: z.literal("ok"),
  key: z.string(),
  requested_key: z.string().optional(),
  created: z.boolean(),
  scope: Scope,
  similar: SimilarEntries.readonly(),
  warnings: Warnings,
});
const Removed = z.object({ status: z.enum(["removed", "not_found"]), key: z.string() });

/** Knowledge and conventions as the contract names them. */
export const textTools = (memory: LoadMemory) => [
  memoryTool({
    name: "context_add_knowledge",
    title: "Add knowledge",
    description:
      "Store what the team should know about this project under a key; an entry of that key is overwritten. Answers with the key as stored and with entries that say nearly the same.",
    effect: "writes",
    input: z.object({
      key: z.string().describe("Short name, e.g. architecture or tech-stack"),
      content: z.string().describe("Markdown, stored as given"),
      scope: ScopeInput,
      anchors: AnchorsInput,
    }),
    output: Added,
    run: async (input, { actor, signal }) => ({
      status: "ok" as const,
      ...(await (await memory()).addText("knowledge", input, { actor, signal })),
    }),
    show: showAdded,
  }),
  memoryTool({
    name: "context_remove_knowledge",
    title: "Remove knowledge",
    description: "Remove a knowledge entry by its key. Answers removed or not_found.",
    effect: "writes",
    command: {
      words: "knowledge rm",
      positional: ["key"],
      examples: ["contextful memory knowledge rm tech-stack"],
      exitCode: notFoundExit,
    },
    input: z.object({ key: z.string().describe("Key of the entry") }),
    output: Removed,
    run: async ({ key }, { actor, signal }) => ({
      status: (await (await memory()).removeText("knowledge", key, { actor, signal }))
        ? ("removed" as const)
        : ("not_found" as const),
      key,
    }),
    show: ({ status, key }) => (status === "removed" ? `Removed ${key}` : `No knowledge entry '${key}'`),
  }),
  memoryTool({
    name: "context_add_convention",
    title: "Add convention",
    description:
      "Store a rule the whole team and its agents follow, such as git workflow or naming; a convention of that key is overwritten.",
    effect: "writes",
    input: z.object({
      key: z.string().describe("Short name, e.g. git or naming"),
      content: z.string().describe("Markdown, stored as given"),
      scope: ScopeInput,
      anchors: AnchorsInput,
    }),
    output: Added,
    run: async (input, { actor, signal }) => ({
      status: "ok" as const,
      ...(await (await memory()).addText("convention", input, { actor, signal })),
    }),
    show: showAdded,
  }),
  memoryTool({
    name: "context_get_convention",
    title: "Get convention",
    description:
      "Read one team convention by its key. `suspect` says that the code it speaks of has changed since.",
    effect: "reads",
    command: {
      words: "convention get",
      positional: ["key"],
      examples: ["contextful memory convention get git"],
    },
    input: z.object({ key: z.string().describe("Key of the convention") }),
    output: TextEntry,
    run: async ({ key }) => (await memory()).getText("convention", key),
    show: ({ content }) => content,
  }),
  memoryTool({
    name: "context_list_conventions",
    title: "List conventions",
    description: "List the team's conventions with key, content and scope. Read them before you change code.",
    effect: "reads",
    command: { words: "convention list" },
    input: z.object({}),
    output: z.array(TextEntry),
    run: async () => (await memory()).listText("convention"),
    show: showTexts,
  }),
  memoryTool({
    name: "context_rm_convention",
    title: "Remove convention",
    description: "Remove a team convention by its key. Answers removed or not_found.",
    effect: "writes",
    command: {
      words: "convention rm",
      positional: ["key"],
      examples: ["contextful memory convention rm git"],
      exitCode: notFoundExit,
    },
    input: z.object({ key: z.string().describe("Key of the convention") }),
    output: Removed,
    run: async ({ key }, { actor, signal }) => ({
      status: (await (await memory()).removeText("convention", key, { actor, signal }))
        ? ("removed" as const)
        : ("not_found" as const),
      key,
    }),
    show: ({ status, key }) => (status === "removed" ? `Removed ${key}` : `No convention '${key}'`),
  }),
];

export function showAdded({
  key,
  requested_key,
  created,
  scope,
  similar,
  warnings,
}: z.output<typeof Added>): string {
  const name = requested_key === undefined ? key : `${key} (asked for: ${requested_key})`;
  return [
    `${created ? "Added" : "Updated"} ${name}, ${scope}`,
    ...(similar ?? []).map((other) => `similar: ${other.type} ${other.key} (${other.similarity})`),
    ...(warnings ?? []).map((warning) => `warning: ${warning}`),
  ].join("\n");
}
export { Added };

export const showTexts = (entries: readonly z.output<typeof TextEntry>[]): string =>
  entries.map(({ key, scope, suspect }) => `${key}  ${scope}${suspect ? "  suspect" : ""}`).join("\n") ||
  "Nothing yet.";
