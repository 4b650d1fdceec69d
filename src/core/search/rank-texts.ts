import { LruCache } from "../lru-cache.ts";
import type { Embedder } from "./embedders/embedder.ts";
import { parseQuery, SYNONYM_WEIGHT } from "./text/query.ts";
import { forEachWord, termsOf as termsOfWord } from "./text/terms.ts";

/** Cosines of this quick model below the first say nothing, above the second they say as much as words do. */
const UNRELATED = 0.1;
const RELATED = 0.5;
const KEPT = 4_096;

export interface RankableText {
  readonly title: string;
  readonly text: string;
}

/**
 * How much each of a few texts bears on a query, in [0, 1]: the weight of the query's words it has, rare ones first,
 * and its meaning where a model is at hand. For handfuls that need no index: memory entries, sections of a document.
 */
export type TextRanker = (query: string, texts: readonly RankableText[]) => Promise<number[]>;

/** Keeps what it made of a text: the same entries are ranked for every task. */
export function textRanker(model: Pick<Embedder, "embed"> | undefined): TextRanker {
  const terms = new LruCache<ReadonlySet<string>>(KEPT);
  const vectors = new LruCache<Float32Array>(KEPT);
  const termsOf = (text: string) => terms.of(text, () => termSet(text));
  const vectorsOf = async (embedder: Pick<Embedder, "embed">, texts: readonly string[]) => {
    const missing = [...new Set(texts)].filter((text) => vectors.get(text) === undefined);
    const made = missing.length === 0 ? [] : await embedder.embed(missing);
    const fresh = new Map(missing.map((text, at) => [text, made[at]]));
    // Taken before it is kept: more texts than are kept would drive each other out.
    const taken = texts.map((text) => fresh.get(text) ?? vectors.get(text));
    for (const [text, vector] of fresh) if (vector) vectors.set(text, vector);
    return taken;
  };
  return async (query, texts) => {
    const words = wordScores(query, texts, termsOf);
    if (model === undefined || texts.length === 0) return words;
    const [asked] = await model.embed([query]);
    const meanings = await vectorsOf(
      model,
      texts.map(({ title, text }) => `${title}\n${text}`),
    );
    return words.map((score, index) => {
      const nearness = (cosine(asked, meanings[index]) - UNRELATED) / (RELATED - UNRELATED);
      return 0.55 * score + 0.45 * Math.min(1, Math.max(0, nearness));
    });
  };
}

function wordScores(
  query: string,
  texts: readonly RankableText[],
  termsOf: (text: string) => ReadonlySet<string>,
): number[] {
  const groups = parseQuery(query, { synonyms: true }).groups.filter(({ isRequired }) => isRequired);
  const bodies = texts.map(({ text }) => termsOf(text));
  const titles = texts.map(({ title }) => termsOf(title));
  const has = (terms: ReadonlySet<string> | undefined, group: (typeof groups)[number]) =>
    group.variants.some(({ term }) => terms?.has(term));
  const isBySynonym = (at: number, group: (typeof groups)[number]) =>
    group.variants.every(
      ({ term, weight }) => weight === SYNONYM_WEIGHT || !(bodies[at]?.has(term) || titles[at]?.has(term)),
    );
  const rarity = groups.map((group) => {
    const count = bodies.filter((terms, index) => has(terms, group) || has(titles[index], group)).length;
    return Math.log(1 + (texts.length - count + 0.5) / (count + 0.5)) + 0.2;
  });
  const most = rarity.reduce((sum, weight) => sum + weight, 0);
  return texts.map((_, index) => {
    const found = groups.reduce((sum, group, at) => {
      const inTitle = has(titles[index], group);
      if (!inTitle && !has(bodies[index], group)) return sum;
      const share = isBySynonym(index, group) ? SYNONYM_WEIGHT : 1;
      return sum + (rarity[at] ?? 0) * (inTitle ? 1 : 0.8) * share;
    }, 0);
    // A task has many words and an entry speaks of a few of them: half of their weight is a full match.
    return most === 0 ? 0 : Math.min(1, found / (most * 0.5));
  });
}

function termSet(text: string): ReadonlySet<string> {
  const terms = new Set<string>();
  forEachWord(text, (word) => {
    for (const term of termsOfWord(word)) terms.add(term);
  });
  return terms;
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (!a || !b) return 0;
  let [dot, left, right] = [0, 0, 0];
  for (let index = 0; index < a.length; index++) {
    const [x, y] = [a[index] ?? 0, b[index] ?? 0];
    dot += x * y;
    left += x * x;
    right += y * y;
  }
  return left === 0 || right === 0 ? 0 : dot / Math.sqrt(left * right);
}
