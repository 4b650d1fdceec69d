import type { LineRange } from "../../../core/parse/parse.ts";

const PIECE_LINES = 60;
const MIN_PIECE_LINES = 12;
/** Prose may have a paragraph on each line. */
const PIECE_LENGTH = 6_000;

/** Lines without symbols, cut before headings and after blank lines. */
export function plainPieces(lines: readonly string[], { startLine, endLine }: LineRange): LineRange[] {
  const pieces: LineRange[] = [];
  let start = startLine;
  let length = 0;
  for (let line = startLine; line <= endLine; line++) {
    const text = lines[line - 1] ?? "";
    const count = line - start;
    const isBorder =
      count >= PIECE_LINES ||
      (count > 0 && length + text.length > PIECE_LENGTH) ||
      (count >= PIECE_LINES / 2 && isBlank(lines[line - 2])) ||
      (count >= MIN_PIECE_LINES && /^#{1,6} /.test(text));
    if (isBorder) {
      pieces.push({ startLine: start, endLine: line - 1 });
      start = line;
      length = 0;
    }
    length += text.length + 1;
  }
  pieces.push({ startLine: start, endLine });
  return pieces.filter((piece) => !isAllBlank(lines, piece));
}

const isBlank = (line: string | undefined) => (line ?? "").trim() === "";
const isAllBlank = (lines: readonly string[], piece: LineRange) =>
  lines.slice(piece.startLine - 1, piece.endLine).every(isBlank);
