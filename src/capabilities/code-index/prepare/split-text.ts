import type { LineRange } from "../../../core/parse/parse.ts";

const PIECE_LINES = 60;
const MIN_PIECE_LINES = 12;
/** Prose may have a whole paragraph on one line. */
const MAX_PIECE_LENGTH = 6_000;

/** A shorter section shares a piece with the next. */
const MIN_SECTION_LINES = 6;

/** Splits lines without symbols before headings and after blank lines. Pieces of blank lines are dropped. */
export function splitText(
  lines: readonly string[],
  { startLine, endLine }: LineRange,
  headings: ReadonlySet<number> = new Set(),
): LineRange[] {
  const pieces: LineRange[] = [];
  let start = startLine;
  let length = 0;
  for (let line = startLine; line <= endLine; line++) {
    const text = lines[line - 1] ?? "";
    const count = line - start;
    const isBorder =
      count >= PIECE_LINES ||
      (count > 0 && length + text.length > MAX_PIECE_LENGTH) ||
      (count >= PIECE_LINES / 2 && isBlank(lines[line - 2])) ||
      (headings.size === 0
        ? count >= MIN_PIECE_LINES && /^#{1,6} /.test(text)
        : count >= MIN_SECTION_LINES && headings.has(line));
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
