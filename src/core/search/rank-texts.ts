import { LruCache } from "../lru-cache.ts";
import type { Embedder } from "./embedders/embedder.ts";
import { parseQuery } from "./text/query.ts";
import { stem } from "./text/stem.ts";
import { synonymsOf } from "./text/synonyms.ts";
import { forEachWord, termsOf } from "./text/terms.ts";
import { type KnownWord, type Nearness, type QueryWord, wordComparer, wordVector } from "./word-nearness.ts";

const KEPT_TEXTS = 4_096;
const KEPT_WORDS = 20_000;
/** A word of the text counts in full in its title. */
const BODY_WEIGHT = 0.77;
/** Comparing more words than this takes longer than a person waits; then only equal words and synonyms count. */
const MAX_COMPARED_WORDS = 12_000;

export interface RankableText {
  readonly title: string;
  readonly text: string;
}

/** What the ranker needs from a model: vectors of words, and how rare a word is in any text, in [0, 1]. */
export type WordModel = Pick<Embedder, "embed"> & { rarityOf?(word: string): number };

/**
 * How much each of a few texts bears on a query, in [0, 1]. Each word of the query counts by its rarity and by the word of the
 * text that is nearest to it: the same, a synonym, or one of similar meaning. For small sets without an index, such as
 * memory entries or the sections of a document.
 */
export type TextRanker = (query: string, texts: readonly RankableText[]) => Promise<number[]>;

/** The distinct words of a text, in lower case. */
interface TextWords {
  readonly title: readonly string[];
  readonly body: readonly string[];
}
/** The same by their numbers among the words of all texts: each is looked up for every word of the query. */
interface NumberedText {
  readonly title: Uint32Array;
  readonly body: Uint32Array;
}

export function textRanker(model: WordModel | undefined): TextRanker {
  const known = new LruCache<TextWords>(KEPT_TEXTS);
  const knownWords = new LruCache<KnownWord>(KEPT_WORDS);
  const nearWords = wordComparer();
  return async (query, texts) => {
    const asked = queryWords(query);
    const cut = texts.map(({ title, text }) =>
      known.of(`${title}\n${text}`, () => ({ title: wordsOf(title), body: wordsOf(text) })),
    );
    const { words, numbered } = withNumbers(cut);
    const isCompared = asked.length + words.length <= MAX_COMPARED_WORDS;
    const wordsOfAll = [...asked.map(({ word }) => word), ...words];
    const facts = await factsOf(wordsOfAll, isCompared ? model : undefined, knownWords);
    const compared = facts.slice(asked.length);
    // The vector of a word that the vocabulary lacks is made of its pieces, which say little.
    const isKnown = ({ word }: QueryWord) => (model?.rarityOf?.(word) ?? 0) < 1;
    const vectors = asked.map((one, at) => (isKnown(one) ? facts[at]?.vector : undefined));
    const nearness = nearWords(asked, vectors, compared);
    const weights = asked.map(
      ({ word }, at) => rarity(nearness[at], numbered) * (model?.rarityOf?.(word) ?? 1),
    );
    const most = weights.reduce((sum, weight) => sum + weight, 0);
    return numbered.map((text) => {
      const found = nearness.reduce((sum, near, at) => sum + (weights[at] ?? 0) * best(near, text), 0);
      return most === 0 ? 0 : found / most;
    });
  };
}

function withNumbers(texts: readonly TextWords[]) {
  const numbers = new Map<string, number>();
  const numberOf = (word: string): number => {
    const known = numbers.get(word);
    if (known !== undefined) return known;
    numbers.set(word, numbers.size);
    return numbers.size - 1;
  };
  const numbered = texts.map(
    ({ title, body }): NumberedText => ({
      title: Uint32Array.from(title, numberOf),
      body: Uint32Array.from(body, numberOf),
    }),
  );
  return { words: [...numbers.keys()], numbered };
}

function queryWords(query: string): QueryWord[] {
  return parseQuery(query)
    .groups.filter(({ isRequired }) => isRequired)
    .map(({ variants }) => {
      const terms = new Set(variants.map(({ term }) => term));
      const word = variants[0]?.term ?? "";
      const synonyms = new Set(synonymsOf(word).flatMap((other) => [other, stem(other)]));
      return { word, terms, synonyms };
    });
}

function wordsOf(text: string): string[] {
  const words = new Set<string>();
  forEachWord(text, (word) => words.add(word.toLowerCase()));
  return [...words];
}

/** With a model, all of them are kept; without, nothing about them takes long. */
async function factsOf(
  words: readonly string[],
  model: WordModel | undefined,
  kept: LruCache<KnownWord>,
): Promise<KnownWord[]> {
  const known = new Map(words.map((word) => [word, model && kept.get(word)]));
  const missing = [...known].flatMap(([word, facts]) => (facts === undefined ? [word] : []));
  const vectors = missing.length === 0 ? [] : await model?.embed(missing);
  for (const [at, word] of missing.entries()) {
    const facts = { word, forms: termsOf(word), vector: wordVector(vectors?.[at]) };
    if (model) kept.set(word, facts);
    known.set(word, facts);
  }
  return words.flatMap((word) => known.get(word) ?? []);
}

/** Rare words decide: how many of the texts have this very word. */
function rarity(near: Nearness | undefined, texts: readonly NumberedText[]): number {
  const hasIt = (word: number) => near?.[word] === 1;
  const count = texts.filter(({ title, body }) => title.some(hasIt) || body.some(hasIt)).length;
  return Math.log(1 + (texts.length - count + 0.5) / (count + 0.5));
}

function best(near: Nearness, { title, body }: NumberedText): number {
  let most = 0;
  for (const word of title) most = Math.max(most, near[word] ?? 0);
  for (const word of body) most = Math.max(most, BODY_WEIGHT * (near[word] ?? 0));
  return most;
}
