import { once } from "../../lazy.ts";
import type { ModelIdentity } from "../search-index.ts";
import { forEachWord, isWide, partsOf } from "../text/terms.ts";
import { type Kernel, openKernel } from "../vectors/kernel.ts";
import { quantise } from "../vectors/quantise.ts";
import type { VectorMaker } from "../vectors/vector-maker.ts";
import type { Embedder } from "./embedder.ts";
import { MODEL_FILES, readModelFile } from "./model-files.ts";
import { WordPieces } from "./word-pieces.ts";

const DIMS = 384;
const MAX_PIECES = 512;
const REMEMBERED_WORDS = 50_000;
const FIRST_WORD = 1996;
/** How fast frequent words lose weight (the `a` of smooth inverse frequency). */
const SMOOTHING = 1e-3;
/** One word in so many says hardly anything about a text. */
const COMMON_WORDS = 450;
/** A passage says what it is about at its beginning: the name, then the doc. In a question every word counts alike. */
const PASSAGE_FADING = 1 / 24;
/** Part of the model's identity: vectors made another way must not be compared with these. */
const RECIPE = "1";

export type StaticModel = VectorMaker & Embedder & { rarityOf(word: string): number };

/** The quick model: a sum of word-piece vectors from a table, thousands of functions a second in one thread. */
export const loadStaticModel = (directory?: string): Promise<StaticModel> =>
  directory === undefined ? shippedModel() : loadFrom(directory);

/** It holds no state between calls, so everyone in the process uses the same. */
const shippedModel = once(() => loadFrom());

async function loadFrom(directory?: string): Promise<StaticModel> {
  const [vocabulary, table] = await Promise.all([
    readModelFile("vocab.txt", directory),
    readModelFile("static.bin", directory),
  ]);
  return staticModel(new WordPieces(vocabulary.toString("utf8")), table, openKernel());
}

function staticModel(pieces: WordPieces, table: Buffer, kernel: Kernel): StaticModel {
  const identity: ModelIdentity = {
    id: "static",
    sha256: `${MODEL_FILES["static.bin"].slice(0, 32)}-${RECIPE}`,
    dims: DIMS,
  };
  const rowBytes = pieces.size * DIMS;
  const pairsAt = Math.ceil(rowBytes / 16) * 16;
  const sumsAt = pairsAt + MAX_PIECES * 8;
  kernel.reserve(sumsAt + DIMS * 4);
  new Uint8Array(kernel.buffer()).set(table.subarray(0, rowBytes));
  const numbers = new Uint32Array(kernel.buffer(), pairsAt, MAX_PIECES * 2);
  const factors = new Float32Array(kernel.buffer(), pairsAt, MAX_PIECES * 2);
  const sums = new Float32Array(kernel.buffer(), sumsAt, DIMS);
  const weights = weightsOf(pieces.size, table.subarray(rowBytes));
  const words = new Map<string, readonly number[]>();
  const known = (word: string) => {
    const numbersOfWord = words.get(word);
    if (numbersOfWord) return numbersOfWord;
    if (words.size >= REMEMBERED_WORDS) words.clear();
    const made = piecesOf(pieces, word);
    words.set(word, made);
    return made;
  };
  const add = (text: string, fading: number) => {
    let count = 0;
    forEachWord(text, (word) => {
      for (const number of known(word)) {
        if (count >= MAX_PIECES) return;
        numbers[count * 2] = number;
        factors[count * 2 + 1] = (weights[number] ?? 0) / (1 + count * fading);
        count++;
      }
    });
    sums.fill(0);
    kernel.sum(0, pairsAt, count, sumsAt, DIMS);
  };
  return {
    identity,
    batchSize: 256,
    write(text, row) {
      add(text, PASSAGE_FADING);
      return quantise(sums, row);
    },
    async embed(texts) {
      return texts.map((text) => {
        add(text, 0);
        return sums.slice();
      });
    },
    /** In [0, 1], by the place of the word in the vocabulary; 1 if the vocabulary has only its pieces. */
    rarityOf(word) {
      const [piece = pieces.size, ...more] = known(word);
      const place = more.length > 0 ? 1 : (piece - FIRST_WORD) / (pieces.size - FIRST_WORD);
      return Math.min(1, Math.max(0.05, 1 + Math.log(Math.max(1e-9, place)) / Math.log(COMMON_WORDS)));
    },
    close: async () => {},
  };
}

/** The whole of what hyphens join is left out: its words came before it. */
export function piecesOf(pieces: WordPieces, word: string): number[] {
  if (word.includes("-")) return [];
  const parts = isWide(word)
    ? word
        .normalize("NFD")
        .replace(/\p{Mn}+/gu, "")
        .toLowerCase()
        .match(/\p{Script=Han}|[^\p{Script=Han}_]+/gu)
    : partsOf(word);
  return (parts ?? []).flatMap((part) => pieces.ofWord(part));
}

/** The vocabulary is in order of frequency, so a piece's number tells how much it says. */
function weightsOf(count: number, packed: Buffer): Float32Array {
  const scales = new Float32Array(new Uint8Array(packed).buffer);
  let harmonic = 0;
  for (let rank = 1; rank <= count - FIRST_WORD; rank++) harmonic += 1 / rank;
  return scales.map((scale, piece) => {
    const probability = 1 / (Math.max(1, piece - FIRST_WORD + 1) * harmonic);
    return scale * (SMOOTHING / (SMOOTHING + probability));
  });
}
