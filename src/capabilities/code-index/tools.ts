import { z } from "zod";
import { defineTool, type Tool } from "../../core/tool.ts";
import { agentForm, agentSearch, searchOrMatch } from "./agent-search.ts";
import type { LoadedCodeIndex } from "./code-index.ts";
import type { CodeReader } from "./code-reader.ts";
import { EXPLAIN, indexCommand, KIND, searchCommand, statusCommand, WAIT } from "./commands.ts";
import type { PathKindOf } from "./scan/path-kind.ts";
import {
  CodeBound,
  type CodeQuery,
  ExplainedSearchOutput,
  Filters,
  IndexOutput,
  MATCHES,
  MODES,
  ON_MISSING,
  SearchOutput,
  StatusOutput,
} from "./schemas.ts";

const path = z.string().describe("Absolute path to the project's root directory");
const query = z.string().max(1000).describe("Words, a symbol's name, or a question in plain language");

export const indexTool = (behaviour: () => Promise<LoadedCodeIndex>): Tool =>
  defineTool({
    room: "code-index",
    name: "index_codebase",
    title: "Index a codebase",
    description:
      "Index a codebase so that search_code can find its code by name and by meaning; run it once, and again after changes, when it only reads what changed. Returns how many files, symbols and chunks were indexed and which files could not be parsed.",
    effect: "writes",
    command: indexCommand,
    input: z.object({
      path,
      force_reindex: z.boolean().default(false).describe("Rebuild the index, ignoring file hashes"),
      include_tests: z.boolean().default(true).describe("Include test files such as *_test.go"),
      include_vendor: z.boolean().default(false).describe("Include vendor/ directories"),
    }),
    viewInput: z.object({ wait: WAIT }),
    output: IndexOutput,
    run: async (
      {
        path,
        force_reindex: force,
        include_tests: includeTests,
        include_vendor: includeVendor,
        wait = false,
      },
      call,
    ) => (await behaviour()).here.index(path, { force, includeTests, includeVendor, wait }, call),
    show: ({ message }) => message,
  });

const searchInput = z.object({
  path,
  query,
  limit: z.int().min(1).max(100).default(10).describe("Most results to return (1-100)"),
  filters: Filters.prefault({}),
  search_mode: z
    .enum(MODES)
    .default("hybrid")
    .describe("hybrid ranks by words and meaning, keyword by words alone, vector by meaning alone"),
});
const searchViewInput = z.object({
  kind: KIND,
  explain: EXPLAIN,
  match: z.enum(MATCHES).optional().describe("Find lines with this text or regular expression"),
  on_missing: z
    .enum(ON_MISSING)
    .default("fail")
    .describe(
      "If the project is not indexed: fail, answer from what is there, answer from some files at once, or wait for the index",
    ),
});
type SearchInput = z.output<typeof searchInput> & Partial<z.output<typeof searchViewInput>>;

const rankedQuery = ({
  query,
  limit,
  filters,
  search_mode: mode,
  kind,
  explain,
}: SearchInput): CodeQuery => ({
  query,
  limit,
  mode,
  filters: kind ? { ...filters, symbol_types: kind } : filters,
  ...(explain && { explain }),
});

/** The contract's tools that read. */
export const searchTools = (behaviour: () => Promise<CodeReader>, kindOf: PathKindOf): readonly Tool[] => [
  defineTool({
    room: "code-index",
    name: "search_code",
    title: "Search code",
    description:
      "Find code in an indexed project by symbol name or by what it does; use it before reading files or grepping. Returns whole symbols, best first, with path, lines, signature and source.",
    effect: "reads",
    command: searchCommand,
    commands: [{ ...searchCommand, isTop: true, examples: ['contextful search "where are tokens counted"'] }],
    agentView: agentSearch(kindOf),
    input: searchInput,
    viewInput: searchViewInput,
    output: SearchOutput,
    viewOutput: ExplainedSearchOutput,
    run: async (input, call) => {
      const { path, match, on_missing: onMissing = "fail" } = input;
      return searchOrMatch(await behaviour(), { path, query: rankedQuery(input), match, onMissing }, call);
    },
    show: ({ message }) => message,
  }),
  defineTool({
    room: "code-index",
    name: "get_status",
    title: "Index status",
    description:
      "Tell whether a project is indexed, how much is in its index, and how far a run is that is under way. Use it when a search finds nothing or to decide whether to index.",
    effect: "reads",
    command: statusCommand,
    input: z.object({ path }),
    output: StatusOutput,
    run: async ({ path }) => (await behaviour()).status(path),
    show: ({ message }) => message,
  }),
];

/** Takes what `search_code` takes and tells what it could find at most; nothing of lines, which are not ranked. */
export const upperBoundTool = (
  kindOf: PathKindOf,
  upperBound: (path: string, query: CodeQuery, signal: AbortSignal) => Promise<CodeBound>,
): Tool =>
  defineTool({
    room: "code-index",
    name: "code_upper_bound",
    description: "Tell what search_code could find at most.",
    effect: "reads",
    agentView: agentForm(kindOf),
    input: searchInput,
    viewInput: searchViewInput,
    output: CodeBound.optional(),
    run: async (input, { signal }) =>
      input.match === undefined ? upperBound(input.path, rankedQuery(input), signal) : undefined,
    show: () => "",
  });
