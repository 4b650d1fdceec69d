import { basename } from "node:path";
import { readTextInside } from "../../../core/files/read-inside.ts";
import { quotableLines } from "../../../core/hygiene/index.ts";
import { byCodeUnit } from "../../../core/order.ts";
import { parseQuery } from "../../../core/search/query.ts";
import { type DiscoveredFile, discoverFiles } from "../scan/discover.ts";
import { directoryOf } from "../scan/import-paths.ts";
import type { CodeQuery, SearchHit, SearchOutput } from "../schemas.ts";
import type { CodeProject } from "../store/project.ts";
import { readRunningIndex } from "../store/run-lock.ts";
import { redactTexts } from "./redact.ts";
import { compileFilePattern } from "./search-code.ts";
import { clipText } from "./search-hit.ts";

/** Limits in bytes, not in time: the same files give the same answer on a slow machine. */
const MAX_FILE_BYTES = 128 * 1024;
const MAX_BYTES = 12 * 1024 * 1024;
const SHOWN_LINES = 30;
const LINES_BEFORE = 2;
/** A common word starts in thousands of lines; the best place is usually among the first. */
const MAX_STARTS = 400;

interface TextMatch {
  readonly file: DiscoveredFile;
  readonly lines: readonly string[];
  /** Index of the first line to show. */
  readonly at: number;
  readonly score: number;
}

/** The answer to a search in a project that is not indexed yet. */
export async function answerFromText(
  project: CodeProject,
  query: CodeQuery,
  { started, signal }: { readonly started: number; readonly signal: AbortSignal },
): Promise<SearchOutput> {
  const hits = await searchText(project.root, query, signal);
  const isRunning = (await readRunningIndex(project)) !== undefined;
  const milliseconds = Math.round((performance.now() - started) * 10) / 10;
  return {
    success: true,
    query: query.query,
    results: hits,
    statistics: {
      total_results: hits.length,
      returned_results: hits.length,
      search_duration_ms: milliseconds,
      cache_hit: false,
      files_changed: 0,
    },
    ...(isRunning && { indexing: true }),
    degraded: isRunning
      ? "The project is being indexed. Until then, only names and text of files are searched."
      : "The project is not indexed. Only names and text of files were searched.",
    message: `Found ${hits.length} results in ${Math.round(milliseconds)}ms`,
  };
}

/** The lines with the most words of the query, and files whose names have them. */
async function searchText(
  root: string,
  { query, limit, filters }: CodeQuery,
  signal: AbortSignal,
): Promise<SearchHit[]> {
  const terms = parseQuery(query).groups.flatMap(({ variants }) => variants.at(-1)?.term ?? []);
  const words = terms.filter((word) => word.length > 1);
  const isWanted = filters.file_pattern === undefined ? () => true : compileFilePattern(filters.file_pattern);
  const { files } = await discoverFiles(root, { includeTests: true, includeVendor: false }, signal);
  // If the limit is reached, code has been read before prose.
  const inOrder = files
    .filter(({ path }) => isWanted(path))
    .sort((a, b) => Number(a.language === undefined) - Number(b.language === undefined));
  const matches: TextMatch[] = [];
  let bytes = 0;
  for (const file of words.length === 0 ? [] : inOrder) {
    if (file.size > MAX_FILE_BYTES || bytes + file.size > MAX_BYTES) continue;
    signal.throwIfAborted();
    bytes += file.size;
    const match = matchOf(file, (await readTextInside(root, file.path, MAX_FILE_BYTES)) ?? "", words);
    if (match !== undefined) matches.push(match);
  }
  return matches
    .sort((a, b) => b.score - a.score || byCodeUnit(a.file.path, b.file.path))
    .filter(({ score }) => score >= (filters.min_relevance ?? 0))
    .slice(0, limit)
    .map(hitOf);
}

function matchOf(file: DiscoveredFile, text: string, words: readonly string[]): TextMatch | undefined {
  const lower = text.toLowerCase();
  const present = words.filter((word) => lower.includes(word));
  const named = words.filter((word) => file.path.toLowerCase().includes(word)).length;
  if (present.length === 0 && named === 0) return undefined;
  const { at, count } = densestLines(lower.split("\n"), present);
  const score = (count + 0.5 * named + 0.25 * present.length) / (words.length * 1.75);
  return { file, lines: quotableLines(text), at, score: Math.min(1, score) };
}

/** The place with the most different words; the first of equals. */
function densestLines(
  lines: readonly string[],
  words: readonly string[],
): { readonly at: number; readonly count: number } {
  const places = words.map((word) => lines.flatMap((line, index) => (line.includes(word) ? [index] : [])));
  const starts = [...new Set(places.flat())].sort((a, b) => a - b);
  let best = { at: 0, count: 0 };
  for (const start of starts.slice(0, MAX_STARTS)) {
    const isNear = (line: number) => line >= start && line < start + SHOWN_LINES - LINES_BEFORE;
    const count = places.filter((lineNumbers) => lineNumbers.some(isNear)).length;
    if (count > best.count) best = { at: Math.max(0, start - LINES_BEFORE), count };
  }
  return best;
}

function hitOf({ file, lines, at, score }: TextMatch, position: number): SearchHit {
  const shown = lines.slice(at, at + SHOWN_LINES);
  const [content = ""] = redactTexts([clipText(shown)]);
  const directory = directoryOf(file.path);
  return {
    chunk_id: 0,
    rank: position + 1,
    relevance_score: Math.round(score * 10_000) / 10_000,
    symbol: {
      name: basename(file.path),
      kind: "file",
      package: directory,
      signature: file.path,
      doc_comment: "",
    },
    file: {
      path: file.path,
      package: directory.split("/").at(-1) ?? "",
      start_line: at + 1,
      end_line: at + Math.max(1, shown.length),
      language: file.language ?? "text",
    },
    content,
    context_before: "",
    context_after: "",
  };
}
