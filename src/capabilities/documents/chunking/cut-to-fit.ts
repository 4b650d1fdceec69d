import type { TextPiece } from "./blocks.ts";

export const bytesOf = (text: string): number => Buffer.byteLength(text, "utf8");

/** Cuts a block above the limit at its last line break, else at its last space, else between two characters. */
export function cutToFit(text: string, block: TextPiece, limit: number): TextPiece[] {
  const { end: last, heading } = block;
  const isTooLong = (from: number) => last - from > limit || bytesOf(text.slice(from, last)) > limit;
  if (!isTooLong(block.start)) return [block];
  const pieces: TextPiece[] = [];
  let { start } = block;
  while (isTooLong(start)) {
    const most = furthest(text, start, limit);
    const end = breakBefore(text, start, most);
    pieces.push({ start, end });
    start = end;
  }
  if (text.slice(start, last).trim() !== "") pieces.push({ start, end: last, heading });
  return pieces;
}

/** The furthest end within `limit` bytes from `start` that splits no character. */
function furthest(text: string, start: number, limit: number): number {
  let low = start + 1;
  let high = Math.min(text.length, start + limit);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (bytesOf(text.slice(start, middle)) <= limit) low = middle;
    else high = middle - 1;
  }
  const splitsPair = (text.codePointAt(low - 1) ?? 0) > 0xffff;
  if (!splitsPair) return low;
  return low - 1 > start ? low - 1 : low + 1;
}

function breakBefore(text: string, start: number, end: number): number {
  if (/\s/.test(text[end] ?? " ")) return end;
  const window = text.slice(start, end);
  for (const mark of ["\n", " "]) {
    const at = window.lastIndexOf(mark);
    if (at > 0) return start + at + 1;
  }
  return end;
}
