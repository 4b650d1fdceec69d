import { byCodeUnit } from "../../../core/order.ts";
import type { AnswerPiece } from "../measure/recall.ts";

/** Lines of a passage. */
const PASSAGE = 40;
const K1 = 1.2;
const B = 0.75;

interface Passage {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/** Plain BM25 over passages of forty lines: the words as they are written, no fields, no stems. */
export class PlainBm25 {
  readonly #passages = new Map<string, readonly Passage[]>();

  /** Replaces the passages of a file; without a text, the file is gone. */
  update(path: string, text: string | undefined): void {
    if (text === undefined) this.#passages.delete(path);
    else this.#passages.set(path, passagesOf(path, text));
  }

  search(query: string, limit: number): AnswerPiece[] {
    const all = [...this.#passages.values()].flat();
    const terms = [...new Set(wordsOf(query))];
    const average = all.reduce((sum, { length }) => sum + length, 0) / Math.max(1, all.length);
    const weights = terms.map((term) => {
      const holders = all.filter(({ counts }) => counts.has(term)).length;
      return { term, weight: Math.log(1 + (all.length - holders + 0.5) / (holders + 0.5)) };
    });
    const scoreOf = ({ counts, length }: Passage) =>
      weights.reduce((sum, { term, weight }) => {
        const count = counts.get(term) ?? 0;
        return sum + (weight * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / average));
      }, 0);
    return all
      .map((passage) => ({ passage, score: scoreOf(passage) }))
      .filter(({ score }) => score > 0)
      .sort(
        (a, b) =>
          b.score - a.score ||
          byCodeUnit(a.passage.path, b.passage.path) ||
          a.passage.start - b.passage.start,
      )
      .slice(0, limit)
      .map(({ passage: { path, start, end, text } }) => ({
        text: `${path}:${start}\n${text}`,
        quotes: [{ path, start, end }],
      }));
  }
}

export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [];

function passagesOf(path: string, text: string): Passage[] {
  const lines = text.split("\n");
  const passages: Passage[] = [];
  for (let at = 0; at < lines.length; at += PASSAGE) {
    const part = lines.slice(at, at + PASSAGE);
    const words = wordsOf(`${path} ${part.join("\n")}`);
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    const end = at + part.length;
    passages.push({ path, start: at + 1, end, text: part.join("\n"), counts, length: words.length });
  }
  return passages;
}
