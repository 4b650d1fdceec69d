import { setImmediate as turn } from "node:timers/promises";
import { type LineMatch, type LinePatternOptions, linePattern } from "../../../core/search/index.ts";
import type { CodeFilters } from "../schemas.ts";
import type { CodeStore } from "../store/code-store.ts";
import { chunksOfFile, type StoredChunk } from "../store/stored-chunks.ts";
import { storedBlocks } from "../store/stored-contents.ts";
import { readFile } from "../store/stored-files.ts";
import { searchFilters } from "./search-code.ts";
import { type FoundHit, hitOf } from "./search-hit.ts";

export interface TextQuery extends LinePatternOptions {
  /** Most chunks to return; their matching lines come with them. */
  readonly limit: number;
  readonly filters: CodeFilters;
}
export interface TextHit extends FoundHit {
  /** The lines that match, in the order of the file. */
  readonly lines: readonly LineMatch[];
}
export interface FoundText {
  readonly hits: readonly TextHit[];
  /** How many lines match in all. */
  readonly total: number;
}

const BLOCKS_PER_TURN = 256;
const MAX_LINES = 10_000;

/** Lines of the indexed text that match, by the chunk they stand in; in the order of the files. */
export async function findText(code: CodeStore, asked: TextQuery, signal: AbortSignal): Promise<FoundText> {
  const matches = await matchingLines(code, asked, signal);
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
  return { hits, total: [...matches.values()].reduce((sum, lines) => sum + lines.length, 0) };
}

async function matchingLines(code: CodeStore, asked: TextQuery, signal: AbortSignal) {
  const pattern = linePattern(asked);
  const isWanted = fileFilter(code, asked.filters);
  const found = new Map<number, LineMatch[]>();
  let blocks = 0;
  let count = 0;
  for (const { fileId, firstLine, bytes } of storedBlocks(code.store)) {
    if (++blocks % BLOCKS_PER_TURN === 0) {
      await turn();
      signal.throwIfAborted();
    }
    if (!isWanted(fileId)) continue;
    const content = bytes();
    if (!pattern.mayMatch(content)) continue;
    const lines = pattern.linesOf(content.toString("utf8"));
    if (lines.length === 0) continue;
    const known = found.get(fileId) ?? [];
    for (const match of lines) known.push({ ...match, line: match.line + firstLine - 1 });
    found.set(fileId, known);
    count += lines.length;
    if (count >= MAX_LINES) break;
  }
  return found;
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
