import { z } from "zod";
import { defineTool } from "../../../core/tool.ts";
import { AnchorsInput, ScopeInput, TextEntry } from "../entries/schemas.ts";
import { contentOf } from "./content-input.ts";
import { AllowSecret, type LoadMemory } from "./schemas.ts";
import { AddedTextAnswer, showAdded, showTexts } from "./text-tools.ts";

const File = z.string().optional().describe("Read the text from this file; - for standard input");

/** Commands for knowledge and conventions. */
export const peopleTextTools = (memory: LoadMemory) => [
  ...(["knowledge", "convention"] as const).map((kind) =>
    defineTool({
      room: "team-memory",
      name: `memory_${kind}_add`,
      description: `Add or overwrite a ${kind} entry, from the command line, a file or standard input.`,
      effect: "writes",
      audience: "people",
      command: {
        words: `${kind} add`,
        positional: ["key", "content"],
        examples: [
          `contextful memory ${kind} add tech-stack "PostgreSQL 16, Node 22"`,
          `contextful memory ${kind} add layout --file notes.md --anchors src/app.ts`,
        ],
      },
      input: z.object({
        key: z.string().describe("Short name"),
        content: z.string().optional().describe("Markdown"),
        file: File,
        scope: ScopeInput,
        anchors: AnchorsInput,
        allow_secret: AllowSecret,
      }),
      output: AddedTextAnswer,
      run: async ({ content, file, allow_secret, ...text }, { actor, signal }) => ({
        status: "ok" as const,
        ...(await (
          await memory()
        ).addText(
          kind,
          { ...text, content: await contentOf(content, file) },
          { actor, signal, allowSecret: allow_secret },
        )),
      }),
      show: showAdded,
    }),
  ),
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
