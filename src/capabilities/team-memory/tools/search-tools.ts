import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import { defineAgentView, defineCommand, defineTool } from "../../../core/tool.ts";
import { ScopeName } from "../entries/schemas.ts";
import { STORE_DIRECTORY } from "../store/layout.ts";
import type { LoadMemory } from "./schemas.ts";

const FoundLine = z.object({
  key: z.string(),
  file: z.string(),
  line: z.int(),
  text: z.string(),
  score: z.number(),
  type: z.string(),
  scope: ScopeName,
  suspect: z.literal(true).optional(),
  past: z.literal(true).optional(),
});

/** `context_search` for agents: by words and by meaning, and fewer lines. */
const agentSearch = defineAgentView({
  name: "memory_search",
  description:
    "Search what the team has written down about this project: knowledge, conventions, decisions and skills; use it before you decide or ask why something is so. Returns the best lines, each with its entry and file.",
  form: z.object({
    query: z.string().describe("Words or a question"),
    limit: z.int().min(1).max(100).default(12).describe("Most lines"),
  }),
  toInput: ({ query, limit }) => ({ query, limit, mode: "hybrid" }),
  show: (found: z.output<typeof FoundLine>[], { query }) => showByEntry(found, query),
});

/** The heading of an entry once, then its lines. */
function showByEntry(found: readonly z.output<typeof FoundLine>[], query: string): string {
  const files = [...new Set(found.map(({ file }) => file))];
  const blocks = files.map((file) => {
    const lines = found.filter((line) => line.file === file);
    const [first] = lines;
    const suspect = first?.suspect ? " (the code it speaks of has changed since)" : "";
    const past = first?.past ? " (no longer holds)" : "";
    const texts = lines.map(({ line, text }) => `${line}: ${text}`);
    return [`${first?.type} ${first?.key}, ${STORE_DIRECTORY}/${file}${suspect}${past}`, ...texts].join("\n");
  });
  return blocks.join("\n\n") || `The team has written nothing about: ${query}`;
}

const MODE = z.enum(["keyword", "hybrid"]);
const HYBRID = "hybrid also finds entries that say it in other words";
const SearchInput = z.object({
  query: z.string().describe("Words or a phrase"),
  limit: z.int().min(1).max(500).default(50).describe("Most lines to return"),
  mode: MODE.default("keyword").describe(HYBRID),
});

const searchCommand = defineCommand({
  words: "search",
  positional: ["query"],
  examples: ['contextful memory search "which database do we use"'],
  form: SearchInput.extend({ mode: MODE.default("hybrid").describe(HYBRID) }),
});

/** Reading and writing by search and by path, as the contract names them. */
export const searchTools = (memory: LoadMemory) => [
  defineTool({
    room: "team-memory",
    name: "context_search",
    title: "Search memory",
    description:
      "Search everything the team has written down: knowledge, conventions, decisions and skills. Returns lines, best first, with file, key, line number and a score up to 1.",
    effect: "reads",
    command: searchCommand,
    agentView: agentSearch,
    input: SearchInput,
    output: z.array(FoundLine),
    run: async (input) => (await memory()).search(input),
    show: (found) =>
      found.map(({ file, line, text }) => `${file}:${line}: ${text}`).join("\n") || "Nothing found.",
  }),
  defineTool({
    room: "team-memory",
    name: "context_get",
    title: "Get by path",
    description:
      "Read any value by its dotted path, e.g. knowledge.architecture, decisions.1, state, preferences.team, manifest.project.name, history, about.knowledge.architecture.",
    effect: "reads",
    command: {
      words: "get",
      positional: ["dotpath"],
      examples: ["contextful memory get manifest.project.name"],
    },
    input: z.object({ dotpath: z.string().describe("Section, then names, joined by dots") }),
    output: z.json(),
    run: async ({ dotpath }) => {
      const value = z.json().safeParse(await (await memory()).getValue(dotpath));
      if (value.success) return value.data;
      throw new DomainError("not_found", `No value at '${dotpath}'`, { reason: "no_entry" });
    },
    show: (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2)),
  }),
  defineTool({
    room: "team-memory",
    name: "context_set",
    title: "Set by path",
    description:
      "Set a value by its dotted path: knowledge.KEY, conventions.KEY, state.FIELD, preferences.team.KEY or preferences.user.KEY.",
    effect: "writes",
    command: {
      words: "set",
      positional: ["dotpath", "value"],
      examples: ['contextful memory set state.current_task "Auth"'],
    },
    input: z.object({
      dotpath: z.string().describe("Section, then names, joined by dots"),
      value: z.string().describe("The new value"),
    }),
    output: z.object({ status: z.literal("ok"), dotpath: z.string() }),
    run: async ({ dotpath, value }, { actor, signal }) => {
      await (await memory()).setValue(dotpath, value, { actor, signal });
      return { status: "ok" as const, dotpath };
    },
    show: ({ dotpath }) => `Set ${dotpath}`,
  }),
];
