interface Lines {
  readonly startLine: number;
  readonly endLine: number;
}

const PIECE_LINES = 60;
const MIN_PIECE_LINES = 12;

/** Lines without symbols, cut before headings and after blank lines. */
export function plainPieces(lines: readonly string[], { startLine, endLine }: Lines): Lines[] {
  const pieces: Lines[] = [];
  let start = startLine;
  for (let line = startLine; line <= endLine; line++) {
    const length = line - start;
    const isBorder =
      length >= PIECE_LINES ||
      (length >= PIECE_LINES / 2 && isBlank(lines[line - 2])) ||
      (length >= MIN_PIECE_LINES && /^#{1,6} /.test(lines[line - 1] ?? ""));
    if (!isBorder) continue;
    pieces.push({ startLine: start, endLine: line - 1 });
    start = line;
  }
  pieces.push({ startLine: start, endLine });
  return pieces.filter((piece) => !isAllBlank(lines, piece));
}

const isBlank = (line: string | undefined) => (line ?? "").trim() === "";
const isAllBlank = (lines: readonly string[], piece: Lines) =>
  lines.slice(piece.startLine - 1, piece.endLine).every(isBlank);
