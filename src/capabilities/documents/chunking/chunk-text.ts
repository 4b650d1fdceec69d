import { blocksOf, type TextPiece } from "./blocks.ts";
import { cutToFit } from "./cut-to-fit.ts";
import { joinPieces } from "./join-pieces.ts";

export interface ChunkSize {
  /** A token is four bytes of UTF-8, as everywhere in the contracts. */
  readonly maxTokens: number;
  readonly overlapTokens: number;
}
export interface TextChunk {
  readonly text: string;
  /** The headings above its first line, outermost first. */
  readonly trail: readonly string[];
}

/**
 * Cuts a text at headings and paragraphs into chunks within the limit. Every chunk is one range of the text; without
 * overlap the chunks contain the whole text. A blank text is one empty chunk.
 */
export function chunkText(text: string, size: ChunkSize): TextChunk[] {
  const limit = size.maxTokens * 4;
  const overlap = Math.min(size.overlapTokens * 4, Math.floor(limit / 2));
  const pieces = blocksOf(text).flatMap((block) => cutToFit(text, block, limit - overlap));
  const ranges = joinPieces(text, pieces, { limit, overlap });
  if (ranges.length === 0) return [{ text: "", trail: [] }];
  const trailAt = trailReader(pieces);
  return ranges.map(({ start, end, from }) => ({
    text: text.slice(start, end).trim(),
    trail: trailAt(from),
  }));
}

/** Gives the headings above a position; call it with rising positions. */
function trailReader(pieces: readonly TextPiece[]): (from: number) => string[] {
  const stack: { level: number; text: string }[] = [];
  let next = 0;
  return (from) => {
    for (let piece = pieces[next]; piece !== undefined; piece = pieces[++next]) {
      // Headings at the start of a chunk belong to its trail.
      const opensWithIt = piece.heading !== undefined && pieces[next - 1]?.heading !== undefined;
      if (piece.start > from && !opensWithIt) break;
      if (piece.heading === undefined) continue;
      while ((stack.at(-1)?.level ?? 0) >= piece.heading.level) stack.pop();
      stack.push(piece.heading);
    }
    return stack.map(({ text }) => text);
  };
}
