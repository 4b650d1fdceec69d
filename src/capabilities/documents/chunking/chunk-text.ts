import { blocksOf } from "./blocks.ts";
import { cutToFit } from "./cut-to-fit.ts";
import { joinPieces } from "./join-pieces.ts";
import { trailReader } from "./trail.ts";

export interface ChunkSize {
  /** A token is a quarter of a UTF-8 byte count, as everywhere in the contracts. */
  readonly maxTokens: number;
  readonly overlapTokens: number;
}
export interface TextChunk {
  readonly text: string;
  /** The headings above its first line, outermost first. */
  readonly trail: readonly string[];
}

/**
 * Cuts a text at headings and paragraphs into chunks within the limit. Every chunk is one stretch of the text, and without
 * overlap they follow one another without loss; blank text is one empty chunk.
 */
export function chunkText(text: string, size: ChunkSize): TextChunk[] {
  const limit = size.maxTokens * 4;
  const overlap = Math.min(size.overlapTokens * 4, Math.floor(limit / 2));
  const pieces = blocksOf(text).flatMap((block) => cutToFit(text, block, limit - overlap));
  const stretches = joinPieces(text, pieces, { limit, overlap });
  if (stretches.length === 0) return [{ text: "", trail: [] }];
  const trailAt = trailReader(pieces);
  return stretches.map(({ start, end, from }) => ({
    text: text.slice(start, end).trim(),
    trail: trailAt(from),
  }));
}
