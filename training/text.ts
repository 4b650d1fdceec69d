import { piecesOf } from "../src/core/search/embedders/static.ts";
import type { WordPieces } from "../src/core/search/embedders/word-pieces.ts";
import { forEachWord } from "../src/core/search/text/terms.ts";

/** FNV-1a with a final mix, so that the low bits are as good as the high ones. */
export function hashOf(text: string): number {
  let hash = 2166136261;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 2246822519);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** What two copies of a text have in common, whatever their spaces and signs. */
export const normalised = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();

/** Numbers of word pieces exactly as the product reads a text. */
export function pieceReader(pieces: WordPieces): (text: string, most: number) => number[] {
  const known = new Map<string, readonly number[]>();
  return (text, most) => {
    const numbers: number[] = [];
    forEachWord(text, (word) => {
      if (numbers.length >= most) return;
      let cut = known.get(word);
      if (!cut) {
        cut = piecesOf(pieces, word);
        if (known.size > 400_000) known.clear();
        known.set(word, cut);
      }
      numbers.push(...cut);
    });
    return numbers.slice(0, most);
  };
}
