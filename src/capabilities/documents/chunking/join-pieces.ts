import type { TextPiece } from "./blocks.ts";
import { bytesOf } from "./cut-to-fit.ts";

export interface Stretch {
  readonly start: number;
  end: number;
  /** Where its own text begins, after what overlaps. */
  readonly from: number;
  /** Bytes of the text before it, and up to its end. */
  readonly before: number;
  upTo: number;
}

/** A piece with its place in bytes, so that joining many never counts the same text twice. */
interface MeasuredPiece extends TextPiece {
  /** Bytes of the text up to its end. */
  readonly upTo: number;
  /** Bytes of the text up to the end of the first piece from here on that is no heading. */
  readonly bodyUpTo: number | undefined;
}

/** Stretches of the text as large as the limit lets them be; each repeats as much of the one before as overlaps. */
export function joinPieces(
  text: string,
  pieces: readonly TextPiece[],
  { limit, overlap }: { readonly limit: number; readonly overlap: number },
): Stretch[] {
  const stretches: Stretch[] = [];
  let current: Stretch | undefined;
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
    stretches.push(current);
  }
  return stretches;
}

function measure(text: string, pieces: readonly TextPiece[]): MeasuredPiece[] {
  const measured: MeasuredPiece[] = [];
  let upTo = bytesOf(text);
  let to = text.length;
  let bodyUpTo: number | undefined;
  // From the end, where the text that follows a heading is known.
  for (const { start, end, heading } of pieces.toReversed()) {
    upTo -= bytesOf(text.slice(end, to));
    to = end;
    if (heading === undefined) bodyUpTo = upTo;
    measured.push({ start, end, heading, upTo, bodyUpTo });
  }
  return measured.reverse();
}

/** A section starts a chunk of its own once the one before is half full, and a heading goes with what follows it. */
function opensNew({ before, upTo }: Stretch, { heading, bodyUpTo }: MeasuredPiece, limit: number): boolean {
  if (heading === undefined) return false;
  if ((upTo - before) * 2 >= limit) return true;
  return bodyUpTo !== undefined && bodyUpTo - before > limit;
}

/** As much of the end of the chunk before as may be repeated, from the start of a line or word. */
function overlapStart(
  text: string,
  {
    before,
    piece,
    limit,
    overlap,
  }: { before: Stretch | undefined; piece: TextPiece; limit: number; overlap: number },
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
