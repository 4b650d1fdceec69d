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
type WordModel = Pick<Embedder, "embed"> & { rarityOf?(word: string): number };

/**
 * How much each of a few texts bears on a query, in [0, 1]. Each word of the query counts by its rarity and by the word of the
 * text that is nearest to it: the same, a synonym, or one of similar meaning. For small sets without an index, such as
 * memory entries or the sections of a document.
 */
export type TextRanker = (query: string, texts: readonly RankableText[]) => Promise<number[]>;

/** The distinct words of a text, by their numbers in the vocabulary. */
interface TextWords {
  readonly title: Uint32Array;
  readonly body: Uint32Array;
}

export function textRanker(model: WordModel | undefined): TextRanker {
  let vocabulary = new RankedWords();
  const nearWords = wordComparer();
  return async (query, texts) => {
    if (vocabulary.size > KEPT_WORDS) vocabulary = new RankedWords();
    // Another call may begin a new one while this call waits for the model.
    const words = vocabulary;
    const asked = queryWords(query);
    const holders = holdersOf(texts.map((text) => words.ofText(text)));
    const isCompared = asked.length + holders.words.length <= MAX_COMPARED_WORDS;
    const numbers = [...asked.map(({ word }) => words.numberOf(word)), ...holders.words];
    const facts = await words.factsOf(numbers, isCompared ? model : undefined);
    // The vector of a word that the vocabulary of the model lacks is made of its pieces, which say little.
    const isKnown = ({ word }: QueryWord) => (model?.rarityOf?.(word) ?? 0) < 1;
    const vectors = asked.map((one, at) => (isKnown(one) ? facts[at]?.vector : undefined));
    const nearness = nearWords(asked, vectors, facts.slice(asked.length));
    const scores = nearness.map((near) => bestOf(near, holders, texts.length));
    const weights = asked.map(
      ({ word }, at) => rarity(scores[at]?.equal ?? 0, texts.length) * (model?.rarityOf?.(word) ?? 1),
    );
    const most = weights.reduce((sum, weight) => sum + weight, 0);
    return texts.map((_, text) => {
      const found = scores.reduce((sum, { best }, at) => sum + (weights[at] ?? 0) * (best[text] ?? 0), 0);
      return most === 0 ? 0 : found / most;
    });
  };
}

/** Words get numbers once, because the same texts are ranked for one query after another. */
class RankedWords {
  readonly #numbers = new Map<string, number>();
  readonly #facts: KnownWord[] = [];
  readonly #texts = new LruCache<TextWords>(KEPT_TEXTS);
  /** A text is ranked for several queries in a row: then its long key is not made again. */
  readonly #recent = new WeakMap<RankableText, TextWords>();
  /** The words that a model was asked about. */
  readonly #embedded = new Set<number>();

  get size(): number {
    return this.#facts.length;
  }

  numberOf(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const number = this.#facts.push({ word, forms: termsOf(word), vector: undefined }) - 1;
    this.#numbers.set(word, number);
    return number;
  }

  ofText(given: RankableText): TextWords {
    const { title, text } = given;
    const recent = this.#recent.get(given);
    if (recent) return recent;
    const numbersOf = (part: string) => Uint32Array.from(wordsOf(part), (word) => this.numberOf(word));
    const words = this.#texts.of(`${title}\n${text}`, () => ({
      title: numbersOf(title),
      body: numbersOf(text),
    }));
    this.#recent.set(given, words);
    return words;
  }

  /** What is known of these words; with a model, they have vectors. */
  async factsOf(numbers: readonly number[], model: WordModel | undefined): Promise<KnownWord[]> {
    const missing = model ? [...new Set(numbers)].filter((number) => !this.#embedded.has(number)) : [];
    const vectors =
      missing.length === 0
        ? []
        : await model?.embed(missing.map((number) => this.#facts[number]?.word ?? ""));
    for (const [at, number] of missing.entries()) {
      const known = this.#facts[number];
      if (known) this.#facts[number] = { ...known, vector: wordVector(vectors?.[at]) };
      this.#embedded.add(number);
    }
    const facts = numbers.flatMap((number) => this.#facts[number] ?? []);
    return model ? facts : facts.map((known) => ({ ...known, vector: undefined }));
  }
}

/** Which texts have a word. Each place is a text twice, plus one if the word is in its title. */
interface WordHolders {
  /** The distinct words of all texts, by their numbers in the vocabulary. */
  readonly words: readonly number[];
  /** For each of these words: where its places begin. */
  readonly starts: Uint32Array;
  readonly places: Uint32Array;
}

function holdersOf(texts: readonly TextWords[]): WordHolders {
  const counts = new Map<number, number>();
  for (const { title, body } of texts)
    for (const part of [title, body]) for (const word of part) counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = [...counts.keys()];
  const starts = new Uint32Array(words.length + 1);
  for (const [at, word] of words.entries()) {
    starts[at + 1] = (starts[at] ?? 0) + (counts.get(word) ?? 0);
    counts.set(word, starts[at] ?? 0);
  }
  const places = new Uint32Array(starts[words.length] ?? 0);
  for (const [text, { title, body }] of texts.entries())
    for (const [isTitle, part] of [body, title].entries())
      for (const word of part) {
        const next = counts.get(word) ?? 0;
        places[next] = 2 * text + isTitle;
        counts.set(word, next + 1);
      }
  return { words, starts, places };
}

/** For each text, how near its nearest word is; and how many texts have this very word. */
function bestOf(near: Nearness, { starts, places }: WordHolders, texts: number) {
  const best = new Float64Array(texts);
  const hasEqual = new Uint8Array(texts);
  let equal = 0;
  for (let word = 0; word < near.length; word++) {
    const value = near[word] ?? 0;
    if (value === 0) continue;
    const end = starts[word + 1] ?? 0;
    for (let at = starts[word] ?? 0; at < end; at++) {
      const place = places[at] ?? 0;
      const text = place >> 1;
      best[text] = Math.max(best[text] ?? 0, place & 1 ? value : BODY_WEIGHT * value);
      if (value !== 1 || hasEqual[text] === 1) continue;
      hasEqual[text] = 1;
      equal++;
    }
  }
  return { best, equal };
}

/** Rare words decide. */
const rarity = (holders: number, texts: number): number =>
  Math.log(1 + (texts - holders + 0.5) / (holders + 0.5));

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
