import type { TextPiece } from "./blocks.ts";

/** Answers which headings stand above a place; asked in rising order. */
export function trailReader(pieces: readonly TextPiece[]): (from: number) => string[] {
  const stack: { level: number; text: string }[] = [];
  let next = 0;
  return (from) => {
    for (let piece = pieces[next]; piece !== undefined; piece = pieces[++next]) {
      // Headings at the very beginning of a chunk belong to its trail.
      const opensWithIt = piece.heading !== undefined && pieces[next - 1]?.heading !== undefined;
      if (piece.start > from && !opensWithIt) break;
      if (piece.heading === undefined) continue;
      while ((stack.at(-1)?.level ?? 0) >= piece.heading.level) stack.pop();
      stack.push(piece.heading);
    }
    return stack.map(({ text }) => text);
  };
}
