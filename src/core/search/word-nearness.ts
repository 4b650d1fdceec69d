import { SYNONYM_WEIGHTS } from "./text/synonyms.ts";
import { type Kernel, openKernel } from "./vectors/kernel.ts";
import { quantise, strideOf } from "./vectors/quantise.ts";

/** One word inside another, such as `search` in `geosearch`. */
const PART_WEIGHT = 0.6;
const MIN_PART = 5;
/** Cosine of two words below which they say different things, and what the most similar pair counts. */
const UNRELATED = 0.15;
const RELATED_WEIGHT = 0.8;
/** More than the rounding of a sum of float32 products. */
const ROUNDING = 1e-4;

export interface QueryWord {
  readonly word: string;
  readonly terms: ReadonlySet<string>;
  readonly synonyms: ReadonlySet<string>;
}
/** What is compared with every word of a query. Without a model a word has no vector. */
export interface KnownWord {
  readonly word: string;
  readonly forms: readonly string[];
  readonly vector: WordVector | undefined;
}
interface WordVector {
  /** Of length 1, or 0 if the word has no direction. */
  readonly exact: Float32Array;
  /** Nearly the same in int8, and how far `scale` times this row is from it. */
  readonly row: Int8Array;
  readonly scale: number;
  readonly error: number;
}
/** How near each word of the texts, by its number, is to one word of the query, in [0, 1]. */
export type Nearness = Float64Array;

export function wordVector(vector: Float32Array | undefined): WordVector | undefined {
  if (vector === undefined) return undefined;
  const exact = unit(vector);
  const row = new Int8Array(strideOf(vector.length));
  const scale = quantise(exact, row);
  let squares = 0;
  for (let at = 0; at < exact.length; at++) squares += ((exact[at] ?? 0) - (row[at] ?? 0) * scale) ** 2;
  return { exact, row, scale, error: Math.sqrt(squares) };
}

/** Compares the words of texts with each word of a query. */
export function wordComparer() {
  const compareRows = rowComparer();
  return (
    asked: readonly QueryWord[],
    vectors: readonly (WordVector | undefined)[],
    words: readonly KnownWord[],
  ): Nearness[] => {
    const near = byForms(asked, words);
    for (const [at, { word }] of asked.entries()) addParts(near[at] ?? new Float64Array(), word, words);
    compareRows(vectors, words, near);
    return near;
  };
}

/** 1 for the same word, less for a synonym. */
function byForms(asked: readonly QueryWord[], words: readonly KnownWord[]): Nearness[] {
  const wanted = new Map<string, { readonly at: number; readonly value: number }[]>();
  const want = (form: string, at: number, value: number) => {
    const known = wanted.get(form);
    if (known) known.push({ at, value });
    else wanted.set(form, [{ at, value }]);
  };
  for (const [at, { terms, synonyms }] of asked.entries()) {
    for (const form of terms) want(form, at, 1);
    for (const form of synonyms) want(form, at, SYNONYM_WEIGHTS.amongFewTexts);
  }
  const near = asked.map(() => new Float64Array(words.length));
  for (const [number, { forms }] of words.entries())
    for (const form of forms)
      for (const { at, value } of wanted.get(form) ?? []) {
        const values = near[at];
        if (values) values[number] = Math.max(value, values[number] ?? 0);
      }
  return near;
}

function addParts(near: Nearness, asked: string, words: readonly KnownWord[]): void {
  for (const [number, { word }] of words.entries())
    if (near[number] === 0 && (isPart(word, asked) || isPart(asked, word))) near[number] = PART_WEIGHT;
}

const isPart = (part: string, word: string) =>
  part.length >= MIN_PART && part.length <= word.length && word.includes(part);

/**
 * Fills in the words that are near by meaning alone. Few are: the int8 rows leave out those that cannot be, and only the
 * others are compared exactly.
 */
function rowComparer() {
  let kernel: Kernel | undefined;
  return (
    asked: readonly (WordVector | undefined)[],
    words: readonly KnownWord[],
    near: readonly Nearness[],
  ) => {
    const stride = asked.find((vector) => vector !== undefined)?.row.length;
    if (stride === undefined || words.length === 0) return;
    kernel ??= openKernel();
    const dotsOf = loadRows(kernel, words, stride);
    // In arrays of their own: they are read for every pair.
    const scales = Float64Array.from(words, ({ vector }) => vector?.scale ?? 0);
    const errors = Float64Array.from(words, ({ vector }) => vector?.error ?? 0);
    const mayBeNear = (vector: WordVector, dot: number, number: number): boolean => {
      const error = vector.error + (errors[number] ?? 0) * (1 + vector.error) + ROUNDING;
      return dot * vector.scale * (scales[number] ?? 0) + error > UNRELATED;
    };
    for (const [at, vector] of asked.entries()) {
      const values = near[at] ?? new Float64Array();
      const dots = vector ? dotsOf(vector.row) : [];
      for (let number = 0; number < dots.length; number++)
        if (vector && mayBeNear(vector, dots[number] ?? 0, number) && values[number] === 0)
          values[number] = nearnessOf(vector, words[number]?.vector);
    }
  };
}

function nearnessOf(a: WordVector, b: WordVector | undefined): number {
  const cosine = b === undefined ? 0 : dot(a.exact, b.exact);
  return cosine > UNRELATED ? (RELATED_WEIGHT * (cosine - UNRELATED)) / (1 - UNRELATED) : 0;
}

/** Gives the dot products of a row with the rows of all words. */
function loadRows(
  kernel: Kernel,
  words: readonly KnownWord[],
  stride: number,
): (row: Int8Array) => Int32Array {
  const queryAt = words.length * stride;
  const outAt = queryAt + stride * 2;
  kernel.reserve(outAt + words.length * 4);
  const rows = new Int8Array(kernel.buffer(), 0, queryAt);
  for (const [number, { vector }] of words.entries()) if (vector) rows.set(vector.row, number * stride);
  const query = new Int16Array(kernel.buffer(), queryAt, stride);
  const dots = new Int32Array(kernel.buffer(), outAt, words.length);
  return (row) => {
    query.set(row);
    kernel.dot(0, queryAt, outAt, words.length, stride);
    return dots;
  };
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** Four sums, because each addition waits for the one before it. */
function dot(a: Float32Array, b: Float32Array): number {
  let [first, second, third, fourth] = [0, 0, 0, 0];
  for (let at = 0; at < a.length; at += 4) {
    first += (a[at] ?? 0) * (b[at] ?? 0);
    second += (a[at + 1] ?? 0) * (b[at + 1] ?? 0);
    third += (a[at + 2] ?? 0) * (b[at + 2] ?? 0);
    fourth += (a[at + 3] ?? 0) * (b[at + 3] ?? 0);
  }
  return first + second + third + fourth;
}
