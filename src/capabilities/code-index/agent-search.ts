import { z } from "zod";
import { type Call, defineAgentView } from "../../core/tool.ts";
import type { CodeReader } from "./code-reader.ts";
import { EXPLAIN } from "./commands.ts";
import type { PathKindOf } from "./scan/path-kind.ts";
import { filePatternOf, notInProject, placeOf } from "./scan/place.ts";
import {
  type CodeQuery,
  type ExplainedSearchHit,
  type ExplainedSearchOutput,
  MATCHES,
  type OnMissing,
  SYMBOL_TYPES,
} from "./schemas.ts";
import { changedSince, showExplanation, unknownName } from "./show.ts";

/** About 250 tokens of code with its heading: enough to judge a hit, and the heading says which lines to read for the rest. */
const MAX_LINES = 18;
const MAX_BYTES = 600;
const MAX_LINE = 200;
/** The first lines of a long symbol, kept above the lines that match. */
const HEAD_LINES = 2;

/** `search_code` for agents: no path is needed, the project is indexed if it is not, and hits are short. */
export const agentSearch = (kindOf: PathKindOf) =>
  defineAgentView({
    ...agentForm(kindOf),
    show: (output: ExplainedSearchOutput, { query, context_lines }) =>
      showForAgent(output, query, context_lines),
  });

/** What `code_search` takes. */
export const agentForm = (kindOf: PathKindOf) =>
  defineAgentView({
    name: "code_search",
    description:
      "Search this project's source code by symbol name, words, error message or question; use it before grep and before reading files. Returns the best symbols with path, lines and source, cut to what matches.",
    form: z.object({
      query: z.string().max(1000).describe("A name, words, or a question"),
      path: z
        .string()
        .min(1, "must not be empty")
        .default(".")
        .describe(
          "Only this directory, file or glob of the project; an absolute path may name another project",
        ),
      kind: z.array(z.enum(SYMBOL_TYPES)).optional().describe("Only these kinds of symbols"),
      match: z
        .enum(MATCHES)
        .optional()
        .describe("Find lines with this text or regular expression, as grep does"),
      limit: z.int().min(1).max(50).default(8).describe("Most hits"),
      context_lines: z
        .int()
        .min(1)
        .max(400)
        .optional()
        .describe("Most lines of source per hit, if 18 are too few"),
      explain: EXPLAIN,
    }),
    toInput: ({ query, path, kind, match, limit, explain }, { root }) => ({
      query,
      limit,
      kind,
      match,
      explain,
      ...searchedPart(root, path, kindOf),
      on_missing: "answer",
    }),
  });

interface ViewedSearch {
  readonly path: string;
  readonly query: CodeQuery;
  readonly match: (typeof MATCHES)[number] | undefined;
  readonly onMissing: OnMissing;
}

/** Ranks symbols, or matches lines. */
export async function searchOrMatch(
  code: Pick<CodeReader, "search" | "matchLines">,
  { path, query, match, onMissing }: ViewedSearch,
  call: Call,
): Promise<ExplainedSearchOutput> {
  if (!match) return code.search(path, query, call, { onMissing });
  const { query: pattern, limit, filters } = query;
  return code.matchLines(path, { pattern, mode: match, limit, filters }, call, { onMissing });
}

function searchedPart(root: string, path: string, kindOf: PathKindOf) {
  const place = placeOf(root, path, kindOf);
  if (place.part === "") return { path: place.project };
  if (place.kind === undefined && !/[*?[{]/.test(path)) throw notInProject(path);
  return { path: root, filters: { file_pattern: filePatternOf(place) } };
}

function showForAgent(
  { results, statistics, indexing, degraded, message, unknown_name }: ExplainedSearchOutput,
  query: string,
  contextLines: number | undefined,
): string {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_$]{2,}/gu) ?? [];
  const most =
    contextLines === undefined
      ? { lines: MAX_LINES, bytes: MAX_BYTES }
      : { lines: contextLines, bytes: Number.POSITIVE_INFINITY };
  const { total_results: total, returned_results: returned, files_changed: changed } = statistics;
  const notes = [
    ...(results.length === 0 ? [message] : []),
    ...unknownName(unknown_name),
    ...(total > returned
      ? [`${returned} of ${total} hits. A higher limit or a narrower path shows others.`]
      : []),
    ...(degraded === undefined ? [] : [degraded]),
    ...(indexing && degraded === undefined ? ["A new index is being built; this is from the last one."] : []),
    ...changedSince(changed),
  ];
  return [...results.map((hit) => showHit(hit, words, most)), notes.join("\n")].filter(Boolean).join("\n\n");
}

interface ExcerptLimit {
  readonly lines: number;
  /** Bytes of UTF-8 follow the number of tokens better than characters do. */
  readonly bytes: number;
}

/** No imports and no doc comment beside the source: they are the file's, and the source begins with its comment. */
function showHit(
  { file, symbol, content, fresh, matches, explanation }: ExplainedSearchHit,
  words: readonly string[],
  most: ExcerptLimit,
): string {
  const stale = fresh === false ? " (changed since it was indexed)" : "";
  const owner = symbol.parent === undefined ? "" : `${symbol.parent}.`;
  const named = `${symbol.kind} ${owner}${symbol.name}`;
  const why = explanation ? `\nwhy: ${showExplanation(explanation)}` : "";
  const head = `${file.path}:${file.start_line}-${file.end_line} ${named}${stale}${why}`;
  if (matches) return [head, ...showLines(matches, most)].join("\n");
  const { pieces, hidden } = excerpt(sourceLines(content, symbol.signature), words, most);
  const [firstSignatureLine = ""] = symbol.signature.split("\n");
  const isSignatureShown = pieces.some((line) => line.includes(firstSignatureLine.trim()));
  const more = hidden.map(
    ([from, to]) => `more: ${file.path}:${file.start_line + from}-${file.start_line + to}`,
  );
  return [head, ...(isSignatureShown ? [] : [firstSignatureLine]), ...pieces, ...more].join("\n");
}

function showLines(matches: NonNullable<ExplainedSearchHit["matches"]>, most: ExcerptLimit): string[] {
  const lines = matches.map(({ line, text }) => `${line}: ${text.slice(0, MAX_LINE)}`);
  const count = fitting(lines, 0, most);
  const more = lines.length - count;
  return [...lines.slice(0, count), ...(more > 0 ? [`${more} more lines match here`] : [])];
}

/** A later part of a long symbol begins with the signature and an ellipsis, which are not lines of the file there. */
function sourceLines(content: string, signature: string): string[] {
  const repeated = `${signature}\n…\n`;
  const source = content.startsWith(repeated) ? content.slice(repeated.length) : content;
  return source.split("\n").map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line));
}

interface Excerpt {
  readonly pieces: readonly string[];
  /** Ranges of lines that are not shown, counted from the first line of the source. */
  readonly hidden: readonly (readonly [number, number])[];
}

/** The first lines, and the lines from the best match on. */
function excerpt(lines: readonly string[], words: readonly string[], most: ExcerptLimit): Excerpt {
  const whole = fitting(lines, 0, most);
  if (whole === lines.length) return { pieces: lines, hidden: [] };
  const best = bestLine(lines, words);
  if (best < whole) return { pieces: lines.slice(0, whole), hidden: [[whole, lines.length - 1]] };
  const headSize = Buffer.byteLength(lines.slice(0, HEAD_LINES).join("\n"));
  const rest = { lines: most.lines - HEAD_LINES, bytes: most.bytes - headSize };
  const from = Math.max(HEAD_LINES, best - Math.floor(Math.min(rest.lines, MAX_LINES) / 4));
  const to = from + fitting(lines, from, rest);
  return {
    pieces: [...lines.slice(0, HEAD_LINES), "…", ...lines.slice(from, to)],
    hidden: [
      ...(from > HEAD_LINES ? [[HEAD_LINES, from - 1] as const] : []),
      ...(to < lines.length ? [[to, lines.length - 1] as const] : []),
    ],
  };
}

/** How many lines from `from` on fit; at least one. */
function fitting(lines: readonly string[], from: number, most: ExcerptLimit): number {
  let bytes = 0;
  let count = 0;
  for (const line of lines.slice(from, from + Math.max(1, most.lines))) {
    bytes += Buffer.byteLength(line) + 1;
    if (count > 0 && bytes > most.bytes) break;
    count += 1;
  }
  return count;
}

function bestLine(lines: readonly string[], words: readonly string[]): number {
  const counts = lines.map((line) => {
    const lower = line.toLowerCase();
    return words.filter((word) => lower.includes(word)).length;
  });
  return counts.indexOf(Math.max(0, ...counts));
}
