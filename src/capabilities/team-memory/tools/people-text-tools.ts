import { z } from "zod";
import { defineTool } from "../../../core/tool.ts";
import { TextEntry } from "../entries/schemas.ts";
import type { LoadMemory } from "./schemas.ts";
import { showTexts } from "./text-tools.ts";

/** Commands for knowledge. */
export const peopleTextTools = (memory: LoadMemory) => [
  defineTool({
    room: "team-memory",
    name: "memory_knowledge_get",
    description: "Print one knowledge entry.",
    effect: "reads",
    audience: "people",
    command: {
      words: "knowledge get",
      positional: ["key"],
      examples: ["contextful memory knowledge get tech-stack"],
    },
    input: z.object({ key: z.string().describe("Key of the entry") }),
    output: TextEntry,
    run: async ({ key }) => (await memory()).getText("knowledge", key),
    show: ({ content }) => content,
  }),
  defineTool({
    room: "team-memory",
    name: "memory_knowledge_list",
    description: "List the knowledge entries with their scopes.",
    effect: "reads",
    audience: "people",
    command: { words: "knowledge list", examples: ["contextful memory knowledge list --json"] },
    input: z.object({}),
    output: z.array(TextEntry),
    run: async () => (await memory()).listText("knowledge"),
    show: showTexts,
  }),
];
