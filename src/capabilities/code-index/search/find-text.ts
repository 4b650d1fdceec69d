import { setImmediate as turn } from "node:timers/promises";
import { type LineMatch, type LinePatternOptions, linePattern } from "../../../core/search/index.ts";
import type { CodeFilters, SearchOutput } from "../schemas.ts";
import type { CodeStore } from "../store/code-store.ts";
import { chunksOfFile, type StoredChunk } from "../store/stored-chunks.ts";
import { blocksWith, fileOfBlock, readBlock } from "../store/stored-contents.ts";
import { readFile } from "../store/stored-files.ts";
import { searchFilters } from "./search-code.ts";
import { clipText, type FoundHit, hitOf } from "./search-hit.ts";

export interface TextQuery extends LinePatternOptions {
  /** Most chunks to return; their matching lines come with them. */
  readonly limit: number;
  readonly filters: CodeFilters;
}
interface TextHit extends FoundHit {
  /** The lines that match, in the order of the file. */
  readonly lines: readonly LineMatch[];
}
interface FoundText {
  readonly hits: readonly TextHit[];
  /** How many lines match in all. */
  readonly total: number;
  /** False if there are more lines, which were not read. */
  readonly isComplete: boolean;
}

/** Batches double: the first ones are often enough, and each bounded match has a cost of its own. */
const FIRST_BLOCKS = 32;
const MOST_BLOCKS = 256;
/** After so many lines no more are counted, if there are enough hits: a common word is on every tenth line. */
const ENOUGH_LINES = 500;

/** Lines that match, as grep finds them, by the symbol they stand in. */
export async function matchLines(
  code: CodeStore,
  query: TextQuery,
  signal: AbortSignal,
): Promise<SearchOutput> {
  const started = performance.now();
  const found = await findText(code, query, signal);
  return matchOutput(query.pattern, found, performance.now() - started);
}

function matchOutput(
  query: string,
  { hits, total, isComplete }: FoundText,
  milliseconds: number,
): SearchOutput {
  return {
    success: true,
    query,
    results: hits.map(({ hit, lines }) => ({
      ...hit,
      matches: lines.map(({ line, text }) => ({ line, text: clipText([text]) })),
    })),
    statistics: {
      total_results: hits.length,
      returned_results: hits.length,
      search_duration_ms: Math.round(milliseconds * 10) / 10,
      cache_hit: false,
      files_changed: 0,
    },
    message: `Found ${isComplete ? "" : "more than "}${total} lines in ${Math.round(milliseconds)}ms`,
  };
}

/** Lines of the indexed text that match, by the chunk they stand in; in the order of the files. */
export async function findText(code: CodeStore, asked: TextQuery, signal: AbortSignal): Promise<FoundText> {
  const { matches, isComplete } = await matchingLines(code, asked, signal);
  const hits: TextHit[] = [];
  for (const [fileId, lines] of matches) {
    if (hits.length >= asked.limit) break;
    for (const { chunk, held } of byChunk(chunksOfFile(code, fileId), lines)) {
      if (hits.length >= asked.limit) break;
      const place = hits.length;
      for (const found of hitOf(code, { chunk, score: 1 }, { position: place, query: asked.pattern })) {
        hits.push({ ...found, lines: held });
      }
    }
  }
  const total = [...matches.values()].reduce((sum, lines) => sum + lines.length, 0);
  return { hits, total, isComplete };
}

/** By file. */
async function matchingLines(code: CodeStore, asked: TextQuery, signal: AbortSignal) {
  const pattern = linePattern(asked);
  const isWanted = fileFilter(code, asked.filters);
  const ids = blocksWith(code.store, pattern.trigrams).filter((id) => isWanted(fileOfBlock(id)));
  const matches = new Map<number, LineMatch[]>();
  let count = 0;
  for (
    let from = 0, size = FIRST_BLOCKS;
    from < ids.length;
    from += size, size = Math.min(MOST_BLOCKS, size * 2)
  ) {
    if (count >= ENOUGH_LINES && matches.size > asked.limit) return { matches, isComplete: false };
    const blocks = ids
      .slice(from, from + size)
      .map((id) => readBlock(code.store, id))
      .filter(({ bytes }) => pattern.mayMatch(bytes));
    const found = pattern.linesOf(blocks.map(({ bytes }) => bytes.toString("utf8")));
    for (const [place, { fileId, firstLine }] of blocks.entries()) {
      const lines = found[place] ?? [];
      if (lines.length === 0) continue;
      const known = matches.get(fileId) ?? [];
      for (const match of lines) known.push({ ...match, line: match.line + firstLine - 1 });
      matches.set(fileId, known);
      count += lines.length;
    }
    await turn();
    signal.throwIfAborted();
  }
  return { matches, isComplete: true };
}

/** Of the conditions those that speak of files: a line has no kind. */
function fileFilter(code: CodeStore, filters: CodeFilters): (fileId: number) => boolean {
  const [where] = searchFilters({ file_pattern: filters.file_pattern });
  if (!where?.where) return () => true;
  const known = new Map<number, boolean>();
  return (fileId) => {
    const verdict = known.get(fileId) ?? where.where?.(readFile(code, fileId)?.path ?? "") ?? false;
    known.set(fileId, verdict);
    return verdict;
  };
}

/** Lines outside of all chunks, such as imports, go with the chunk that is next. */
function byChunk(chunks: readonly StoredChunk[], lines: readonly LineMatch[]) {
  const held = new Map<StoredChunk, LineMatch[]>();
  for (const match of lines) {
    const chunk =
      chunks.find(({ startLine, endLine }) => startLine <= match.line && match.line <= endLine) ??
      chunks.find(({ startLine }) => startLine > match.line) ??
      chunks.at(-1);
    if (chunk) held.set(chunk, [...(held.get(chunk) ?? []), match]);
  }
  return [...held].map(([chunk, matches]) => ({ chunk, held: matches }));
}
