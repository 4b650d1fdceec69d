import { LruCache } from "../lru-cache.ts";
import type { Embedder } from "./embedders/embedder.ts";
import { parseQuery } from "./text/query.ts";
import { stem } from "./text/stem.ts";
import { SYNONYM_WEIGHTS, synonymsOf } from "./text/synonyms.ts";
import { forEachWord, termsOf } from "./text/terms.ts";

const KEPT_TEXTS = 4_096;
const KEPT_WORDS = 20_000;
/** A word of the text counts in full in its title. */
const BODY_WEIGHT = 0.77;
/** One word inside another, such as `search` in `geosearch`. */
const PART_WEIGHT = 0.6;
const MIN_PART = 5;
/** Cosine of two words below which they say different things, and what the most similar pair counts. */
const UNRELATED = 0.15;
const RELATED_WEIGHT = 0.8;
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

interface QueryWord {
  readonly word: string;
  readonly terms: ReadonlySet<string>;
  readonly synonyms: ReadonlySet<string>;
}
/** The distinct words of a text, in lower case. */
interface TextWords {
  readonly title: readonly string[];
  readonly body: readonly string[];
}
/** What is compared with every word of a query. Without a model a word has no vector. */
interface KnownWord {
  readonly word: string;
  readonly forms: readonly string[];
  readonly vector: Float32Array | undefined;
}
/** How near each word of the texts is to one word of the query, in [0, 1]. Words that are not near are left out. */
type Nearness = ReadonlyMap<string, number>;

export function textRanker(model: WordModel | undefined): TextRanker {
  const known = new LruCache<TextWords>(KEPT_TEXTS);
  const knownWords = new LruCache<KnownWord>(KEPT_WORDS);
  return async (query, texts) => {
    const asked = queryWords(query);
    const cut = texts.map(({ title, text }) =>
      known.of(`${title}\n${text}`, () => ({ title: wordsOf(title), body: wordsOf(text) })),
    );
    const words = [...new Set(cut.flatMap(({ title, body }) => [...title, ...body]))];
    const isCompared = asked.length + words.length <= MAX_COMPARED_WORDS;
    const wordsOfAll = [...asked.map(({ word }) => word), ...words];
    const facts = await factsOf(wordsOfAll, isCompared ? model : undefined, knownWords);
    const compared = facts.slice(asked.length);
    // The vector of a word that the vocabulary lacks is made of its pieces, which say little.
    const isKnown = ({ word }: QueryWord) => (model?.rarityOf?.(word) ?? 0) < 1;
    const vectors = asked.map((one, at) => (isKnown(one) ? facts[at]?.vector : undefined));
    const nearness = nearWords(asked, vectors, compared);
    const weights = asked.map(({ word }, at) => rarity(nearness[at], cut) * (model?.rarityOf?.(word) ?? 1));
    const most = weights.reduce((sum, weight) => sum + weight, 0);
    return cut.map((text) => {
      const found = nearness.reduce((sum, near, at) => sum + (weights[at] ?? 0) * best(near, text), 0);
      return most === 0 ? 0 : found / most;
    });
  };
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
    const facts = { word, forms: termsOf(word), vector: vectors && unit(vectors[at]) };
    if (model) kept.set(word, facts);
    known.set(word, facts);
  }
  return words.flatMap((word) => known.get(word) ?? []);
}

/** For each word of the query. The words of the texts are the outer loop: their vectors do not fit into a processor's cache. */
function nearWords(
  asked: readonly QueryWord[],
  vectors: readonly (Float32Array | undefined)[],
  words: readonly KnownWord[],
): Nearness[] {
  const near = asked.map(() => new Map<string, number>());
  for (const known of words) {
    for (let at = 0; at < asked.length; at++) {
      const one = asked[at];
      const value = one ? nearnessOf(one, vectors[at], known) : 0;
      if (value > 0) near[at]?.set(known.word, value);
    }
  }
  return near;
}

function nearnessOf(
  { word: asked, terms, synonyms }: QueryWord,
  vector: Float32Array | undefined,
  { word, forms, vector: other }: KnownWord,
): number {
  if (forms.some((form) => terms.has(form))) return 1;
  if (forms.some((form) => synonyms.has(form))) return SYNONYM_WEIGHTS.amongFewTexts;
  if (isPart(word, asked) || isPart(asked, word)) return PART_WEIGHT;
  const cosine = dot(vector, other);
  return cosine > UNRELATED ? (RELATED_WEIGHT * (cosine - UNRELATED)) / (1 - UNRELATED) : 0;
}

const isPart = (part: string, word: string) => part.length >= MIN_PART && word.includes(part);

/** Rare words decide: how many of the texts have this very word. */
function rarity(near: Nearness | undefined, texts: readonly TextWords[]): number {
  const hasIt = (word: string) => near?.get(word) === 1;
  const count = texts.filter(({ title, body }) => title.some(hasIt) || body.some(hasIt)).length;
  return Math.log(1 + (texts.length - count + 0.5) / (count + 0.5));
}

function best(near: Nearness, { title, body }: TextWords): number {
  let most = 0;
  for (const word of title) most = Math.max(most, near.get(word) ?? 0);
  for (const word of body) most = Math.max(most, BODY_WEIGHT * (near.get(word) ?? 0));
  return most;
}

function unit(vector: Float32Array | undefined): Float32Array {
  if (vector === undefined) return new Float32Array();
  const length = Math.sqrt(dot(vector, vector));
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** Four sums, because each addition waits for the one before it. */
function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined) return 0;
  let [first, second, third, fourth] = [0, 0, 0, 0];
  for (let at = 0; at < a.length; at += 4) {
    first += (a[at] ?? 0) * (b[at] ?? 0);
    second += (a[at + 1] ?? 0) * (b[at + 1] ?? 0);
    third += (a[at + 2] ?? 0) * (b[at + 2] ?? 0);
    fourth += (a[at + 3] ?? 0) * (b[at + 3] ?? 0);
  }
  return first + second + third + fourth;
}
