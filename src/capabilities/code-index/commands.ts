import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { DomainError } from "../../core/errors.ts";
import { defineCommand, defineTool, type Tool } from "../../core/tool.ts";
import type { LoadedCodeIndex } from "./code-index.ts";
import type { CodeReader } from "./code-reader.ts";
import { kindOnDisk } from "./scan/path-kind.ts";
import { filePatternOf, placeOf } from "./scan/place.ts";
import {
  type ExplainedSearchOutput,
  IndexOutput,
  MATCHES,
  MODES,
  type StatusOutput,
  SYMBOL_TYPES,
} from "./schemas.ts";
import { showIndex, showRun, showSearch, showStatus } from "./show.ts";

/** The contract's kinds, and the other kinds that results show. */
const KINDS = [...SYMBOL_TYPES, "class", "enum", "module", "macro", "annotation", "property"] as const;
/** Fields that only views give to the contract's tools. */
export const KIND = z
  .array(z.enum(KINDS))
  .optional()
  .describe(`Only this kind of symbol: ${KINDS.join(", ")}`);
export const WAIT = z
  .boolean()
  .default(false)
  .describe("Wait until the better model has embedded everything");
export const EXPLAIN = z.boolean().default(false).describe("Tell why each hit is where it is");
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

/** `index_codebase` for people: a relative path, short flags, and `--wait`. */
export const indexCommand = defineCommand({
  words: "index",
  description: "Index a project's code, or bring its index up to date",
  positional: ["path"],
  examples: ["contextful code index", "contextful code index ~/src/shop --no-tests --wait"],
  form: z.object({
    path,
    force: z.boolean().default(false).describe("Rebuild the index"),
    ...flags,
    wait: WAIT,
  }),
  toInput: ({ path, force, tests, vendor, wait }, { root }) => ({
    path: projectDirectory(root, path),
    force_reindex: force,
    include_tests: tests,
    include_vendor: vendor,
    wait,
  }),
  show: showIndex,
});

/** `search_code` for people: flat flags, the kinds that results show, and no need to index first. */
export const searchCommand = defineCommand({
  words: "search",
  description: "Find code by name or by what it does",
  positional: ["query", "path"],
  examples: [
    'contextful code search "where are tokens counted"',
    "contextful code search NewServer ~/src/shop --mode keyword",
    "contextful code search 'func New[A-Z]' --mode regex",
  ],
  form: z.object({
    query: z.string().max(1000).describe("Words, a name, or a question"),
    path: z
      .string()
      .min(1, "must not be empty")
      .optional()
      .describe("A directory or file of this repository, or another project; default: here"),
    mode: z
      .enum([...MODES, ...MATCHES])
      .default("hybrid")
      .describe("How to rank; literal and regex find lines, as grep does"),
    limit: z.int().min(1).max(100).default(10).describe("Most results to show"),
    kind: KIND,
    files: z.string().optional().describe("Only files that match this glob"),
    explain: EXPLAIN,
    wait: z
      .boolean()
      .default(false)
      .describe("Wait for the first index of a large project instead of searching some files"),
  }),
  toInput: ({ query, path, mode, limit, kind, files, explain, wait }, { root }) => ({
    ...searchedByPerson(root, { query, path, files }),
    limit,
    ...(mode === "literal" || mode === "regex" ? { match: mode } : { search_mode: mode }),
    kind,
    on_missing: wait ? "wait" : "preview",
    explain,
  }),
  show: showSearch,
  next: ({ index_first: path, indexing }: ExplainedSearchOutput) =>
    path === undefined || indexing
      ? undefined
      : { tool: "index_codebase", input: { path }, isInBackground: true },
});

/** `get_status` for people. The contract's message names a tool, so a project without an index gets its own. */
export const statusCommand = defineCommand({
  words: "status",
  description: "Tell what is indexed and how far a running index is",
  positional: ["path"],
  examples: ["contextful code status"],
  form: z.object({ path }),
  toInput: ({ path }, { root }) => ({ path: projectDirectory(root, path) }),
  toOutput: (status: StatusOutput) =>
    status.indexed ? status : { ...status, message: "Project not indexed." },
  show: showStatus,
  next: ({ indexed, indexing }, { path }) =>
    indexed || indexing ? undefined : { tool: "index_codebase", input: { path } },
});

export const symbolsTool = (behaviour: () => Promise<CodeReader>): Tool =>
  defineTool({
    room: "code-index",
    name: "code_symbols",
    description: "List the symbols of a project, or those whose name begins with NAME",
    effect: "reads",
    audience: "people",
    command: {
      words: "symbols",
      positional: ["name", "path"],
      examples: ["contextful code symbols NewServer", "contextful code symbols --limit 500"],
    },
    input: z.object({
      path,
      name: z.string().min(1).optional().describe("The beginning of the name, in any case"),
      limit: z.int().min(1).max(100_000).default(200).describe("Most symbols to list"),
    }),
    output: SymbolList,
    async run({ path, name, limit }) {
      const code = await behaviour();
      const found = await code.symbols(projectDirectory(code.root, path), name, limit + 1);
      return { symbols: found.slice(0, limit), more: found.length > limit };
    },
    show: ({ symbols, more }) =>
      [
        ...(symbols.length === 0 ? ["No symbol begins with this name."] : []),
        ...symbols.map(({ path, line, kind, signature }) => `${path}:${line}  ${kind}  ${signature}`),
        ...(more ? ["There are more: raise --limit, or give the beginning of a name."] : []),
      ].join("\n"),
  });

export const watchTool = (behaviour: () => Promise<LoadedCodeIndex>): Tool =>
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
  });

interface TypedSearch {
  readonly query: string;
  readonly path: string | undefined;
  readonly files: string | undefined;
}

function searchedByPerson(root: string, { files, ...typed }: TypedSearch) {
  const { query, path } = queryAndPath(root, typed.query, typed.path);
  const directory = resolve(root, path);
  // A directory may hold several projects. Only a repository has parts.
  const isPart = existsSync(join(root, ".git")) && !existsSync(join(directory, ".git"));
  const place = isPart ? placeOf(root, path, kindOnDisk) : undefined;
  if (!place || place.part === "")
    return {
      query,
      path: projectDirectory(root, path),
      ...(files !== undefined && { filters: { file_pattern: files } }),
    };
  const part = filePatternOf(place);
  const file_pattern = files === undefined ? part : `${part}${files.includes("/") ? "" : "**/"}${files}`;
  return { query, path: root, filters: { file_pattern } };
}

/** The path may also come first, as in `code search . retry`: it exists, or looks like a path. */
function queryAndPath(root: string, query: string, path: string | undefined) {
  if (path === undefined) return { query, path: "." };
  const isThere = (word: string) => kindOnDisk(resolve(root, word)) !== undefined;
  if (!isThere(query) && !isThere(path)) throw notADirectory(query, path);
  const isSwapped = isThere(query) && (/^[.~/\\]/.test(query) || !isThere(path));
  return isSwapped ? { query: path, path: query } : { query, path };
}

const notADirectory = (query: string, path: string) =>
  new DomainError("invalid_input", `Not a directory: ${path}.`, {
    reason: "wrong_path",
    details: { param: "path", hint: `To search for several words, put them in quotes: "${query} ${path}"` },
  });

/** A path as people type it, relative to the project. */
export function projectDirectory(root: string, path: string): string {
  const directory = resolve(root, path);
  if (!statSync(directory, { throwIfNoEntry: false })?.isFile()) return directory;
  throw new DomainError("invalid_input", `${path} is a file. Name the project's directory.`, {
    reason: "wrong_path",
    details: { param: "path" },
  });
}
