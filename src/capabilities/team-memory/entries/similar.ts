import { byCodeUnit } from "../../../core/order.ts";
import { meaningfulTerms } from "../../../core/search/index.ts";
import type { MemoryEntry } from "../store/entry-files.ts";
import { isProse } from "./decision-file.ts";
import type { SimilarEntry } from "./schemas.ts";

const BINS = 64;
const EMPTY = 0xffffffff;
/** The sketch selects candidates and may be wrong, so its threshold is lower than that of the comparison. */
const SKETCH_AT_LEAST = 0.35;
const ALIKE = 0.7;
const MAX_RESULTS = 5;
/** A short text is often written again with its words in another order: then the words themselves are compared. */
const SHORT_TEXT = 400;
const WORDS_ALIKE = 0.6;
const MIN_WORDS = 3;

interface Sketch {
  readonly bins: Uint32Array;
  readonly pairs: Set<number>;
}
const sketches = new WeakMap<MemoryEntry, Uint32Array>();

/** Entries with nearly the same text, the most similar first. */
export function findSimilar(text: string, entries: Iterable<MemoryEntry>, except?: string): SimilarEntry[] {
  const sketch = sketchOf(text);
  if (sketch.pairs.size === 0) return [];
  const words = meaningfulWords(text);
  const found: SimilarEntry[] = [];
  for (const entry of entries) {
    if (entry.path === except) continue;
    const similarity = Math.round(Math.max(byPairs(sketch, entry), byWords(words, entry)) * 100) / 100;
    if (similarity > 0) found.push({ type: entry.kind, key: entry.key, similarity });
  }
  return found
    .sort((a, b) => b.similarity - a.similarity || byCodeUnit(a.type, b.type) || byCodeUnit(a.key, b.key))
    .slice(0, MAX_RESULTS);
}

/** 0 unless they are alike. */
function byPairs({ bins, pairs }: Sketch, entry: MemoryEntry): number {
  if (agreement(bins, binsOf(entry)) < SKETCH_AT_LEAST) return 0;
  const share = overlap(pairs, sketchOf(entry.text).pairs);
  return share >= ALIKE ? share : 0;
}

/** 0 unless both are short and alike. */
function byWords(words: ReadonlySet<string>, { text }: MemoryEntry): number {
  if (words.size < MIN_WORDS || text.length > SHORT_TEXT) return 0;
  const share = overlap(words, meaningfulWords(text));
  return share >= WORDS_ALIKE ? share : 0;
}

/** Empty for a long text. */
const meaningfulWords = (text: string): ReadonlySet<string> =>
  text.length > SHORT_TEXT
    ? new Set()
    : new Set(meaningfulTerms(text.split("\n").filter(isProse).join("\n")));

function binsOf(entry: MemoryEntry): Uint32Array {
  const before = sketches.get(entry);
  if (before !== undefined) return before;
  const { bins } = sketchOf(entry.text);
  sketches.set(entry, bins);
  return bins;
}

/** MinHash over pairs of neighbouring words: the share of equal bins estimates the share of common pairs. */
function sketchOf(text: string): Sketch {
  const bins = new Uint32Array(BINS).fill(EMPTY);
  const pairs = new Set<number>();
  let before = 0;
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    const hash = hashOf(word);
    const pair = mix(Math.imul(before, 31) ^ hash);
    before = hash;
    pairs.add(pair);
    const bin = pair % BINS;
    if (pair < (bins[bin] ?? EMPTY)) bins[bin] = pair;
  }
  return { bins, pairs };
}

function agreement(a: Uint32Array, b: Uint32Array): number {
  let same = 0;
  let used = 0;
  for (let bin = 0; bin < BINS; bin += 1) {
    if (a[bin] === EMPTY && b[bin] === EMPTY) continue;
    used += 1;
    if (a[bin] === b[bin]) same += 1;
  }
  return used === 0 ? 0 : same / used;
}

function overlap<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): number {
  let common = 0;
  for (const pair of a) if (b.has(pair)) common += 1;
  return common / (a.size + b.size - common);
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < word.length; index += 1) {
    hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

function mix(value: number): number {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, 0x45d9f3b);
  mixed ^= mixed >>> 16;
  return mixed >>> 0;
}
