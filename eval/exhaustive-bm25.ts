import { byCodeUnit } from "../src/core/order.ts";
import type { Chunk, IndexedDocument } from "../src/core/search/index.ts";
import { KEYWORD_TUNING } from "../src/core/search/keyword.ts";
import { parseQuery } from "../src/core/search/text/query.ts";
import { forEachWord, termsOf } from "../src/core/search/text/terms.ts";

interface Counted {
  readonly id: string;
  readonly length: number;
  readonly frequencies: ReadonlyMap<string, number>;
}

/** BM25 as in a textbook, over maps and every chunk: slow, and the truth that the engine's ranking is held against. */
export function exhaustiveBm25(
  documents: readonly IndexedDocument[],
): (query: string, count: number) => string[] {
  const chunks = documents.flatMap((document) =>
    document.chunks.map((chunk) => counted(chunk, document.path)),
  );
  const average = chunks.reduce((sum, chunk) => sum + chunk.length, 0) / Math.max(1, chunks.length);
  const { k1, b, allWords, allFirst } = KEYWORD_TUNING;
  const documentsWith = new Map<string, number>();
  for (const { frequencies } of chunks) {
    for (const term of frequencies.keys()) documentsWith.set(term, (documentsWith.get(term) ?? 0) + 1);
  }
  const score = ({ frequencies, length }: Counted, term: string) => {
    const frequency = frequencies.get(term) ?? 0;
    const known = documentsWith.get(term) ?? 0;
    const idf = Math.log(1 + (chunks.length - known + 0.5) / (known + 0.5));
    return (idf * (k1 + 1) * frequency) / (frequency + k1 * (1 - b + (b * length) / average));
  };
  return (text, count) => {
    const { groups } = parseQuery(text);
    const isShort = groups.filter((group) => group.isRequired).length <= allFirst;
    const ranked = chunks.map((chunk) => {
      const scores = groups.map((group) =>
        Math.max(...group.variants.map(({ term, weight }) => weight * score(chunk, term))),
      );
      const hasAll = groups.every((group, place) => !group.isRequired || (scores[place] ?? 0) > 0);
      const sum = scores.reduce((total, value) => total + value, 0);
      const bonus = hasAll && isShort && sum > 0 ? 1e4 : 0;
      return { id: chunk.id, score: bonus + sum * (hasAll ? 1 + allWords : 1) };
    });
    return ranked
      .filter((chunk) => chunk.score > 0)
      .sort((x, y) => y.score - x.score || byCodeUnit(x.id, y.id))
      .slice(0, count)
      .map((chunk) => chunk.id);
  };
}

function counted({ id, title, doc, body }: Chunk, path: string): Counted {
  const frequencies = new Map<string, number>();
  let length = 0;
  const field = (text: string, weight: number, most: number) => {
    const counts = new Map<string, number>();
    forEachWord(text, (word) => {
      length++;
      for (const term of termsOf(word)) counts.set(term, Math.min(most, (counts.get(term) ?? 0) + 1));
    });
    for (const [term, times] of counts) frequencies.set(term, (frequencies.get(term) ?? 0) + weight * times);
  };
  field(title, KEYWORD_TUNING.title, 1);
  field(doc, KEYWORD_TUNING.doc, 1);
  field(path, KEYWORD_TUNING.path, 1);
  field(body, KEYWORD_TUNING.body, 31);
  return { id, length, frequencies };
}
