import { z } from "zod";
import { REFERENCE_KINDS } from "../../../core/parse/references/references.ts";
import { defineTool, type Tool } from "../../../core/tool.ts";
import type { LoadedCodeIndex } from "../code-index.ts";
import type { CodeReader } from "../code-reader.ts";
import {
  CallsOutput,
  DIRECTIONS,
  ImpactOutput,
  OutlineOutput,
  ReferencesOutput,
  SymbolOutput,
  UnusedOutput,
} from "./schemas.ts";
import { showCalls, showImpact, showOutline, showReferences, showSymbol, showUnused } from "./show.ts";

const symbol = z.string().describe("A name, Type.method or path:line");
const path = z.string().default(".").describe("Directory or file");
const budget = z.int().min(100).default(2_000).describe("Tokens");

/** Definitions, references, calls and outlines. They answer agents with text. */
export const navigationTools = (behaviour: () => Promise<CodeReader>): readonly Tool[] => [
  defineTool({
    room: "code-index",
    name: "find_symbol",
    description: "Show the source of a symbol, or the candidates.",
    effect: "reads",
    command: {
      words: "def",
      positional: ["symbol", "path"],
      examples: [
        "contextful code def NewServer",
        "contextful code def Store.get",
        "contextful code def src/app.ts:40",
      ],
      ...ifNotFound(({ definitions }: SymbolOutput) => definitions),
    },
    input: z.object({ symbol, path }),
    output: SymbolOutput,
    run: async (input, call) => (await (await behaviour()).navigation()).symbol(input, call),
    show: showSymbol,
    forModel: showSymbol,
  }),
  defineTool({
    room: "code-index",
    name: "find_references",
    description:
      "List the uses of a symbol, one line of code each, sure ones first; better than grep before a change.",
    effect: "reads",
    command: {
      words: "refs",
      positional: ["symbol", "path"],
      examples: ["contextful code refs NewServer", "contextful code refs Store.get --kind call --json"],
      ...ifNotFound(({ definitions }: ReferencesOutput) => definitions),
    },
    input: z.object({
      symbol,
      path,
      kind: z.array(z.enum(REFERENCE_KINDS)).optional(),
      limit: z.int().min(1).default(40),
    }),
    output: ReferencesOutput,
    run: async ({ kind: kinds, ...input }, call) =>
      (await (await behaviour()).navigation()).references({ ...input, kinds }, call),
    show: showReferences,
    forModel: showReferences,
  }),
  defineTool({
    room: "code-index",
    name: "call_graph",
    description: "Show who calls a symbol, or what it calls.",
    effect: "reads",
    command: {
      words: "calls",
      positional: ["symbol", "path"],
      examples: [
        "contextful code calls NewServer",
        "contextful code calls Store.get --direction callees --depth 3",
      ],
      ...ifNotFound(({ roots }: CallsOutput) => roots),
    },
    input: z.object({
      symbol,
      path,
      direction: z.enum(DIRECTIONS).default("callers"),
      depth: z.int().min(1).max(3).default(2),
      budget,
    }),
    output: CallsOutput,
    run: async (input, call) => (await (await behaviour()).navigation()).calls(input, call),
    show: showCalls,
    forModel: showCalls,
  }),
  defineTool({
    room: "code-index",
    name: "outline",
    description: "List the symbols of a file or directory.",
    effect: "reads",
    command: {
      words: "outline",
      positional: ["path"],
      examples: ["contextful code outline src/app.ts", "contextful code outline src --budget 4000"],
    },
    input: z.object({ path, budget }),
    output: OutlineOutput,
    run: async ({ path, budget }, call) =>
      (await (await behaviour()).navigation()).outline(path, budget, call),
    show: showOutline,
    forModel: showOutline,
  }),
  defineTool({
    room: "code-index",
    name: "code_unused",
    description: "List definitions that nothing in the project uses, the surest first",
    effect: "reads",
    audience: "people",
    command: {
      words: "unused",
      positional: ["path"],
      examples: ["contextful code unused", "contextful code unused src/core --json"],
    },
    input: z.object({ path, limit: z.int().min(1).max(100_000).default(100).describe("Most definitions") }),
    output: UnusedOutput,
    run: async ({ path, limit }, call) => (await (await behaviour()).navigation()).unused(path, limit, call),
    show: showUnused,
  }),
];

/** A command for a symbol that does not exist exits as "not found" and names the search by words. */
const ifNotFound = <Output extends { readonly symbol: string }>(
  found: (output: Output) => readonly unknown[],
) => ({
  exitCode: (output: Output) => (found(output).length > 0 ? 0 : 3),
  next: (output: Output) =>
    found(output).length > 0 ? undefined : { tool: "search_code", input: { query: output.symbol } },
});

/** A change is read from the repository. */
export const impactTool = (behaviour: () => Promise<LoadedCodeIndex>): Tool =>
  defineTool({
    room: "code-index",
    name: "code_impact",
    description: "Show what a change touches: the symbols, who calls them, which tests reach them",
    effect: "reads",
    audience: "people",
    command: {
      words: "impact",
      positional: ["range"],
      examples: ["contextful code impact", "contextful code impact main..HEAD"],
    },
    input: z.object({
      range: z.string().max(300).default("").describe("A commit or a range; default: what is not committed"),
      path: path.describe("The project's directory"),
    }),
    output: ImpactOutput,
    run: async ({ range, path }, call) => (await (await behaviour()).navigation()).impact(path, range, call),
    show: showImpact,
  });
