import { z } from "zod";
import { defineTool, type Tool } from "../../core/tool.ts";
import type { LoadedCodeIndex } from "./code-index.ts";
import { IndexOutput, MODES, SearchOutput, StatusOutput, SYMBOL_TYPES } from "./schemas.ts";
import { showIndex, showRun, showSearch, showStatus } from "./show.ts";

/** The contract's kinds, and the other kinds that results show. */
const KINDS = [...SYMBOL_TYPES, "class", "enum", "module", "macro", "annotation", "property"] as const;
const path = z.string().min(1, "must not be empty").default(".").describe("The project's directory");
const flags = {
  tests: z.boolean().default(true).describe("Include test files"),
  vendor: z.boolean().default(false).describe("Include vendor/ directories"),
};
const SymbolList = z.object({
  symbols: z.array(
    z.object({
      name: z.string(),
      kind: z.string(),
      signature: z.string(),
      doc: z.string(),
      path: z.string(),
      line: z.int(),
      end_line: z.int(),
      exported: z.boolean(),
      parent: z.string().optional(),
    }),
  ),
  more: z.boolean().describe("There are more than were asked for"),
});

/** The room's commands, for a person at a terminal. */
export const codeIndexCommands = (behaviour: () => Promise<LoadedCodeIndex>): readonly Tool[] => [
  defineTool({
    room: "code-index",
    name: "code_index",
    description: "Index a project's code, or bring its index up to date",
    effect: "writes",
    audience: "people",
    command: {
      words: "index",
      positional: ["path"],
      examples: ["contextful code index", "contextful code index ~/src/shop --no-tests --wait"],
    },
    input: z.object({
      path,
      force: z.boolean().default(false).describe("Make the index anew"),
      ...flags,
      wait: z.boolean().default(false).describe("Wait until the better model has embedded everything"),
    }),
    output: IndexOutput,
    run: async (input, call) => (await behaviour()).here.index(input, call),
    show: showIndex,
  }),
  defineTool({
    room: "code-index",
    name: "code_search",
    description: "Find code by name or by what it does",
    effect: "reads",
    audience: "people",
    command: {
      words: "search",
      positional: ["path", "query"],
      examples: [
        'contextful code search . "where are tokens counted"',
        "contextful code search . NewServer --mode keyword",
      ],
    },
    input: z.object({
      path: z.string().describe("The project's directory"),
      query: z.string().max(1000).describe("Words, a name, or a question"),
      mode: z.enum(MODES).default("hybrid").describe("How to rank"),
      limit: z.int().min(1).max(100).default(10).describe("Most results to show"),
      kind: z
        .array(z.enum(KINDS))
        .optional()
        .describe(`Only this kind of symbol: ${KINDS.join(", ")}`),
      files: z.string().optional().describe("Only files that match this glob"),
    }),
    output: SearchOutput,
    run: async (input, call) => (await behaviour()).here.search(input, call),
    show: showSearch,
  }),
  defineTool({
    room: "code-index",
    name: "code_status",
    description: "Tell what is indexed and how far a running index is",
    effect: "reads",
    audience: "people",
    command: { words: "status", positional: ["path"], examples: ["contextful code status"] },
    input: z.object({ path }),
    output: StatusOutput,
    run: async (input) => (await behaviour()).here.status(input.path),
    show: showStatus,
  }),
  defineTool({
    room: "code-index",
    name: "code_symbols",
    description: "List the symbols of a project, or those whose name begins with NAME",
    effect: "reads",
    audience: "people",
    command: {
      words: "symbols",
      positional: ["path", "name"],
      examples: ["contextful code symbols . NewServer", "contextful code symbols . --limit 500"],
    },
    input: z.object({
      path,
      name: z.string().min(1).optional().describe("The beginning of the name, in any case"),
      limit: z.int().min(1).max(100_000).default(200).describe("Most symbols to list"),
    }),
    output: SymbolList,
    async run({ path, name, limit }) {
      const found = await (await behaviour()).here.symbols(path, name, limit + 1);
      return { symbols: found.slice(0, limit), more: found.length > limit };
    },
    show: ({ symbols, more }) =>
      [
        ...symbols.map(({ path, line, kind, signature }) => `${path}:${line}  ${kind}  ${signature}`),
        ...(more ? ["There are more: raise --limit, or give the beginning of a name."] : []),
      ].join("\n"),
  }),
  defineTool({
    room: "code-index",
    name: "code_watch",
    description: "Keep a project's index up to date until interrupted",
    effect: "writes",
    audience: "people",
    command: {
      words: "watch",
      positional: ["path"],
      examples: ["contextful code watch", "contextful code watch . --json"],
    },
    input: z.object({ path, ...flags }),
    output: z.object({ runs: z.int() }),
    events: { schema: IndexOutput, show: showRun },
    run: async (input, call) => (await behaviour()).here.watch(input, call),
    show: ({ runs }) => `Stopped after ${runs} ${runs === 1 ? "run" : "runs"}.`,
  }),
];
