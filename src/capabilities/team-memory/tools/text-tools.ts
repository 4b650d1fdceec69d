import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import { type AgentView, type Call, defineAgentView, defineCommand, defineTool } from "../../../core/tool.ts";
import {
  AddedText,
  AnchorsInput,
  Removal,
  ScopeInput,
  SIMILAR_ENTRY,
  TextEntry,
} from "../entries/schemas.ts";
import type { TextEntryKind } from "../entries/text-entries.ts";
import { contentOf, FromFile } from "./content-input.ts";
import { AllowSecret, type LoadMemory, meant, notFoundExit, showRelated } from "./schemas.ts";

const AddedTextAnswer = z.object({ status: z.literal("ok"), ...AddedText.shape });
type AddedAnswer = z.output<typeof AddedTextAnswer>;
const RemovedText = Removal.extend({ key: z.string() });

interface ToolWording {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Of the entry's key, for the agent. */
  readonly key: string;
}

/** `context_add_knowledge` for agents: a text is enough, its key is made from its beginning. */
const agentAdd = defineAgentView({
  name: "memory_add",
  description:
    "Write down a fact about this project for the whole team and later sessions: how something works, where it is, what to avoid. An entry with the same key is replaced; without a key, an entry that says nearly the same is named and nothing is written. Returns the key, similar entries and decisions it goes against.",
  form: z.object({
    content: z.string().describe("The fact, as Markdown"),
    key: z.string().optional().describe("Short name, such as tech-stack; default: from the first words"),
    scope: ScopeInput,
  }),
  // Without a key the agent has not looked whether there is such an entry.
  toInput: ({ content, key, scope }) => ({
    content,
    key: key || keyFrom(content),
    scope,
    must_be_new: !key,
  }),
  show: showAdded,
});

const MAX_KEY_WORDS = 6;

/** The first words of a text as a key: `# The CI uses ARM` gives `the-ci-uses-arm`. */
const keyFrom = (content: string): string =>
  (content.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["note"]).slice(0, MAX_KEY_WORDS).join("-");

const addTool = (
  memory: LoadMemory,
  kind: TextEntryKind,
  { key, agentView, ...wording }: ToolWording & { readonly agentView?: AgentView<z.ZodObject, AddedAnswer> },
) =>
  defineTool({
    room: "team-memory",
    ...wording,
    ...(agentView && { agentView }),
    effect: "writes",
    command: addCommand(kind),
    input: z.object({
      key: z.string().describe(key),
      content: z.string().describe("Markdown, stored as given"),
      scope: ScopeInput,
      anchors: AnchorsInput,
    }),
    viewInput: z.object({ allow_secret: AllowSecret, must_be_new: z.boolean().optional() }),
    output: AddedTextAnswer,
    run: async ({ allow_secret: allowSecret, must_be_new, ...text }, { actor, signal, confirm }) => {
      const { addText } = await memory();
      const add = (mustBeNew: boolean) =>
        addText(kind, { ...text, mustBeNew }, { actor, signal, allowSecret });
      return {
        status: "ok" as const,
        ...(await (confirm ? addAsking(add, confirm) : add(must_be_new ?? false))),
      };
    },
    show: showAdded,
  });

/** A person decides whether a new entry is written beside one that says nearly the same. */
async function addAsking(
  add: (mustBeNew: boolean) => Promise<AddedText>,
  confirm: NonNullable<Call["confirm"]>,
): Promise<AddedText> {
  try {
    return await add(true);
  } catch (thrown) {
    if (!(thrown instanceof DomainError) || thrown.reason !== SIMILAR_ENTRY) throw thrown;
    const { type, key } = thrown.details;
    const isWanted = await confirm(
      `${type} '${key}' says nearly the same. Give key '${key}' to update it.`,
      "Write a second entry?",
    );
    if (!isWanted) throw new DomainError("conflict", "Nothing was written.", { reason: SIMILAR_ENTRY });
    return add(false);
  }
}

const addCommand = (kind: TextEntryKind) =>
  defineCommand({
    words: `${kind} add`,
    description: `Add or overwrite a ${kind} entry, from the command line, a file or standard input.`,
    positional: ["key", "content"],
    examples: [
      `contextful memory ${kind} add tech-stack "PostgreSQL 16, Node 22"`,
      `contextful memory ${kind} add layout --file notes.md --anchors src/app.ts`,
    ],
    form: z.object({
      key: z.string().describe("Short name"),
      content: z.string().optional().describe("Markdown"),
      file: FromFile,
      scope: ScopeInput,
      anchors: AnchorsInput,
      allow_secret: AllowSecret,
    }),
    toInput: ({ content, file, ...text }) => ({ ...text, content: contentOf(content, file) }),
  });

const removeTool = (
  memory: LoadMemory,
  kind: TextEntryKind,
  {
    key: keyWords,
    example,
    called,
    ...wording
  }: ToolWording & { readonly example: string; readonly called: string },
) =>
  defineTool({
    room: "team-memory",
    ...wording,
    effect: "writes",
    command: {
      words: `${kind} rm`,
      positional: ["key"],
      examples: [`contextful memory ${kind} rm ${example}`],
      exitCode: notFoundExit,
    },
    input: z.object({ key: z.string().describe(keyWords) }),
    output: RemovedText,
    run: async ({ key }, { actor, signal }) => ({
      ...(await (await memory()).removeText(kind, key, { actor, signal })),
      key,
    }),
    show: ({ status, key, did_you_mean }) =>
      status === "removed" ? `Removed ${key}` : `No ${called} '${key}'${meant(did_you_mean)}`,
  });

/** Knowledge and conventions, as the contract names them. */
export const textTools = (memory: LoadMemory) => [
  addTool(memory, "knowledge", {
    name: "context_add_knowledge",
    title: "Add knowledge",
    description:
      "Store what the team should know about this project under a key; an entry of that key is overwritten. Answers with the key as stored and with entries that say nearly the same.",
    key: "Short name, e.g. architecture or tech-stack",
    agentView: agentAdd,
  }),
  removeTool(memory, "knowledge", {
    name: "context_remove_knowledge",
    title: "Remove knowledge",
    description: "Remove a knowledge entry by its key. Answers removed or not_found.",
    key: "Key of the entry",
    example: "tech-stack",
    called: "knowledge entry",
  }),
  addTool(memory, "convention", {
    name: "context_add_convention",
    title: "Add convention",
    description:
      "Store a rule the whole team and its agents follow, such as git workflow or naming; a convention of that key is overwritten.",
    key: "Short name, e.g. git or naming",
  }),
  defineTool({
    room: "team-memory",
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
  defineTool({
    room: "team-memory",
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
  removeTool(memory, "convention", {
    name: "context_rm_convention",
    title: "Remove convention",
    description: "Remove a team convention by its key. Answers removed or not_found.",
    key: "Key of the convention",
    example: "git",
    called: "convention",
  }),
];

function showAdded({ key, requested_key, created, scope, warnings, ...found }: AddedAnswer): string {
  const name = requested_key === undefined ? key : `${key} (asked for: ${requested_key})`;
  return [
    `${created ? "Added" : "Updated"} ${name}, ${scope}`,
    ...showRelated(found),
    ...(warnings ?? []).map((warning) => `warning: ${warning}`),
  ].join("\n");
}

export const showTexts = (entries: readonly TextEntry[]): string =>
  entries.map(({ key, scope, suspect }) => `${key}  ${scope}${suspect ? "  suspect" : ""}`).join("\n") ||
  "Nothing yet.";
