import type { LineRange, ParsedFile } from "../../../core/parse/parse.ts";
import { fileSymbol, type OutlinedChunk } from "./chunk.ts";
import { plainPieces } from "./split-text.ts";
import { symbolChunks } from "./symbol-chunks.ts";
import { withLooseLines } from "./uncovered-lines.ts";

export interface Outline {
  readonly chunks: readonly OutlinedChunk[];
  readonly symbolCount: number;
  /** Package clause and imports: what a reader of any chunk may want above it. */
  readonly header: LineRange;
}

const HEADER_LINES = 20;
const NO_HEADER: LineRange = { startLine: 1, endLine: 0 };

/** How a parsed file falls into chunks: every symbol once, and what stands between them. */
export function outlineOf(path: string, lines: readonly string[], parsed: ParsedFile): Outline {
  const chunks = symbolChunks(parsed.symbols).sort(byPlace);
  return {
    chunks: withLooseLines(chunks, { path, lines, parsed }).sort(byPlace),
    symbolCount: parsed.symbols.length,
    header: shownHeader(parsed.header),
  };
}

/** How any other text does. */
export function plainOutline(path: string, lines: readonly string[]): Outline {
  const pieces = plainPieces(lines, { startLine: 1, endLine: lines.length });
  return {
    chunks: pieces.map((piece) => ({ ...piece, symbols: [fileSymbol(path, piece)] })),
    symbolCount: 0,
    header: NO_HEADER,
  };
}

const byPlace = (a: LineRange, b: LineRange) => a.startLine - b.startLine || a.endLine - b.endLine;

/** Imports come in one run mostly; a late one does not stand for them. */
function shownHeader(runs: readonly LineRange[]): LineRange {
  const length = (run: LineRange) => run.endLine - run.startLine;
  const { startLine, endLine } = runs.reduce((a, b) => (length(b) > length(a) ? b : a), runs[0] ?? NO_HEADER);
  return { startLine, endLine: Math.min(endLine, startLine + HEADER_LINES - 1) };
}
