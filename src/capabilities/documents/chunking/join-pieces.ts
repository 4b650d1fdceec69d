import type { TextPiece } from "./blocks.ts";
import { bytesOf } from "./cut-to-fit.ts";

interface ChunkRange {
  readonly start: number;
  end: number;
  /** The start of its own text, after the overlap. */
  readonly from: number;
  /** Bytes of the text before it, and to its end. */
  readonly before: number;
  upTo: number;
}

/** A piece with its position in bytes, so that no text is counted twice. */
interface MeasuredPiece extends TextPiece {
  /** Bytes of the text to its end. */
  readonly upTo: number;
  /** Bytes of the text to the end of the next piece that is not a heading. */
  readonly bodyUpTo: number | undefined;
}

/** Ranges as large as the limit allows; each starts with the overlap of the range before. */
export function joinPieces(
  text: string,
  pieces: readonly TextPiece[],
  { limit, overlap }: { readonly limit: number; readonly overlap: number },
): ChunkRange[] {
  const ranges: ChunkRange[] = [];
  let current: ChunkRange | undefined;
  for (const piece of measure(text, pieces)) {
    const { end, upTo } = piece;
    if (current && upTo - current.before <= limit && !opensNew(current, piece, limit)) {
      current.end = end;
      current.upTo = upTo;
      continue;
    }
    const start = overlapStart(text, { before: current, piece, limit, overlap });
    const before = upTo - bytesOf(text.slice(start, end));
    current = { start, end, from: piece.start, before, upTo };
    ranges.push(current);
  }
  return ranges;
}

function measure(text: string, pieces: readonly TextPiece[]): MeasuredPiece[] {
  const measured: MeasuredPiece[] = [];
  let upTo = bytesOf(text);
  let to = text.length;
  let bodyUpTo: number | undefined;
  // From the end, so that the text after a heading is already known.
  for (const { start, end, heading } of pieces.toReversed()) {
    upTo -= bytesOf(text.slice(end, to));
    to = end;
    if (heading === undefined) bodyUpTo = upTo;
    measured.push({ start, end, heading, upTo, bodyUpTo });
  }
  return measured.reverse();
}

/** A section starts a new chunk if the current one is half full. A heading stays with the text after it. */
function opensNew(
  { before, upTo }: ChunkRange,
  { heading, bodyUpTo }: MeasuredPiece,
  limit: number,
): boolean {
  if (heading === undefined) return false;
  if ((upTo - before) * 2 >= limit) return true;
  return bodyUpTo !== undefined && bodyUpTo - before > limit;
}

/** The start of the overlap with the chunk before, at the start of a line or word. */
function overlapStart(
  text: string,
  {
    before,
    piece,
    limit,
    overlap,
  }: { before: ChunkRange | undefined; piece: TextPiece; limit: number; overlap: number },
): number {
  if (before === undefined || overlap === 0) return piece.start;
  const room = Math.min(overlap, limit - bytesOf(text.slice(piece.start, piece.end)));
  let start = Math.max(before.from, piece.start - room);
  while (start < piece.start && bytesOf(text.slice(start, piece.start)) > room) start += 1;
  if (start > before.from && !/\s/.test(text[start - 1] ?? "")) {
    const space = /\s/.exec(text.slice(start, piece.start));
    start = space ? start + space.index + 1 : piece.start;
  }
  return start;
}
