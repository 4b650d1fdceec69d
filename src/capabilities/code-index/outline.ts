import type { LineRange, ParsedFile } from "../../core/parse/parse.ts";
import { withLooseLines } from "./loose-lines.ts";
import type { OutlinedChunk, OutlinedSymbol } from "./outlined.ts";
import { symbolChunks } from "./symbol-chunks.ts";

export type { OutlinedChunk, OutlinedSymbol };

export interface Outline {
  readonly chunks: readonly OutlinedChunk[];
  readonly symbolCount: number;
  /** Package clause and imports: what a reader of any chunk may want above it. */
  readonly header: LineRange;
}

const HEADER_LINES = 20;
export const NO_HEADER: LineRange = { startLine: 1, endLine: 0 };

/** How a parsed file falls into chunks: every symbol once, and what stands between them. */
export function outlineOf(path: string, lines: readonly string[], parsed: ParsedFile): Outline {
  const chunks = symbolChunks(parsed.symbols).sort(byPlace);
  return {
    chunks: withLooseLines(chunks, { path, lines, parsed }).sort(byPlace),
    symbolCount: parsed.symbols.length,
    header: shownHeader(parsed.header),
  };
}

const byPlace = (a: LineRange, b: LineRange) => a.startLine - b.startLine || a.endLine - b.endLine;

/** Imports come in one run mostly; a late one does not stand for them. */
function shownHeader(runs: readonly LineRange[]): LineRange {
  const length = (run: LineRange) => run.endLine - run.startLine;
  const { startLine, endLine } = runs.reduce((a, b) => (length(b) > length(a) ? b : a), runs[0] ?? NO_HEADER);
  return { startLine, endLine: Math.min(endLine, startLine + HEADER_LINES - 1) };
}
