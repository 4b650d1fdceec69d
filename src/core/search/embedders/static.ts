import { closeSync, readSync } from "node:fs";
import { once } from "../../lazy.ts";
import type { ModelIdentity } from "../search-index.ts";
import { forEachWord, isWide, partsOf } from "../text/terms.ts";
import { type Kernel, openKernel } from "../vectors/kernel.ts";
import { quantise } from "../vectors/quantise.ts";
import type { VectorMaker } from "../vectors/vector-maker.ts";
import type { Embedder } from "./embedder.ts";
import { checkModelFile, MODEL_FILES, openModelFile, readModelFile } from "./model-files.ts";
import { WordPieces } from "./word-pieces.ts";

const DIMS = 384;
const SCALE_BYTES = 4;
const MAX_PIECES = 512;
/** If more rows of the table are needed, all of them are read. */
const SINGLE_ROWS = 400;
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

type StaticModel = VectorMaker & Embedder & { rarityOf(word: string): number };

/** The quick model: a sum of word-piece vectors from a table, thousands of functions a second in one thread. */
export const loadStaticModel = (directory?: string): Promise<StaticModel> =>
  directory === undefined ? shippedModel() : loadFrom(directory);

/** It holds no state between calls, so everyone in the process uses the same. */
const shippedModel = once(() => loadFrom());

async function loadFrom(directory?: string): Promise<StaticModel> {
  const pieces = new WordPieces((await readModelFile("vocab.txt", directory)).toString("utf8"));
  const handle = openModelFile("static.bin", pieces.size * (DIMS + SCALE_BYTES), directory);
  return staticModel(pieces, handle, openKernel());
}

function staticModel(pieces: WordPieces, handle: number, kernel: Kernel): StaticModel {
  const identity: ModelIdentity = {
    id: "static",
    sha256: `${MODEL_FILES["static.bin"].slice(0, 32)}-${RECIPE}`,
    dims: DIMS,
  };
  const rowBytes = pieces.size * DIMS;
  const pairsAt = Math.ceil(rowBytes / 16) * 16;
  const sumsAt = pairsAt + MAX_PIECES * 8;
  kernel.reserve(sumsAt + DIMS * 4);
  const numbers = new Uint32Array(kernel.buffer(), pairsAt, MAX_PIECES * 2);
  const factors = new Float32Array(kernel.buffer(), pairsAt, MAX_PIECES * 2);
  const sums = new Float32Array(kernel.buffer(), sumsAt, DIMS);
  const weightOf = openTable(handle, new Uint8Array(kernel.buffer(), 0, rowBytes), pieces.size);
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
        factors[count * 2 + 1] = weightOf(number) / (1 + count * fading);
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

/**
 * The weight of a piece, whose row is in `rows` from then on. A question needs a few rows of twelve megabytes, so they are
 * read one by one; who needs many gets the rest at once, and then the whole file is checked.
 */
function openTable(handle: number, rows: Uint8Array, count: number): (piece: number) => number {
  const scales = new Float32Array(count);
  readSync(handle, scales, 0, scales.byteLength, rows.byteLength);
  // The vocabulary is in order of frequency, so a piece's number tells how much it says.
  let harmonic = 0;
  for (let rank = 1; rank <= count - FIRST_WORD; rank++) harmonic += 1 / rank;
  const weights = new Float32Array(count);
  const isRead = new Uint8Array(count);
  let left = SINGLE_ROWS;
  const read = (from: number, to: number) => {
    readSync(handle, rows, from * DIMS, (to - from) * DIMS, from * DIMS);
    isRead.fill(1, from, to);
    for (let piece = from; piece < to; piece++) {
      const probability = 1 / (Math.max(1, piece - FIRST_WORD + 1) * harmonic);
      weights[piece] = (scales[piece] ?? 0) * (SMOOTHING / (SMOOTHING + probability));
    }
  };
  const readAll = () => {
    read(0, count);
    closeSync(handle);
    checkModelFile("static.bin", [rows, new Uint8Array(scales.buffer)]);
  };
  return (piece) => {
    if (isRead[piece] === 0) {
      if (left-- > 0) read(piece, piece + 1);
      else readAll();
    }
    return weights[piece] ?? 0;
  };
}
