import { createRequire } from "node:module";
import { resolve } from "node:path";

const { InferenceSession, Tensor }: typeof import("onnxruntime-common") = createRequire(
  resolve("packages/minilm/package.json"),
)("onnxruntime-node");

const DIMS = 384;
const BATCH = 256;

/**
 * A table of word-piece vectors in place of the model: each piece embedded alone, and the common direction taken out.
 * Rows in int8, then the scale of each row as float32.
 */
export async function distil(model: Uint8Array, pieces: number): Promise<Buffer> {
  const vectors = await embedAlone(model, pieces);
  removeMean(vectors, pieces);
  const rows = new Int8Array(pieces * DIMS);
  const scales = new Float32Array(pieces);
  for (let piece = 0; piece < pieces; piece++) {
    const vector = vectors.subarray(piece * DIMS, (piece + 1) * DIMS);
    const most = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 1e-9);
    for (let at = 0; at < DIMS; at++) rows[piece * DIMS + at] = Math.round(((vector[at] ?? 0) * 127) / most);
    scales[piece] = most / 127;
  }
  return Buffer.concat([Buffer.from(rows.buffer), Buffer.from(scales.buffer)]);
}

async function embedAlone(model: Uint8Array, pieces: number): Promise<Float32Array> {
  const session = await InferenceSession.create(model, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const vectors = new Float32Array(pieces * DIMS);
  for (let first = 0; first < pieces; first += BATCH) {
    const count = Math.min(BATCH, pieces - first);
    const ids = new BigInt64Array(count * 3);
    for (let at = 0; at < count; at++) ids.set([101n, BigInt(first + at), 102n], at * 3);
    const mask = new BigInt64Array(count * 3).fill(1n);
    const { embedding } = await session.run({
      input_ids: new Tensor("int64", ids, [count, 3]),
      attention_mask: new Tensor("int64", mask, [count, 3]),
    });
    if (!(embedding?.data instanceof Float32Array)) throw new Error("The model gave no vectors.");
    vectors.set(embedding.data, first * DIMS);
  }
  await session.release();
  return vectors;
}

function removeMean(vectors: Float32Array, pieces: number): void {
  const mean = new Float64Array(DIMS);
  for (const [at, value] of vectors.entries()) mean[at % DIMS] = (mean[at % DIMS] ?? 0) + value / pieces;
  for (let at = 0; at < vectors.length; at++) vectors[at] = (vectors[at] ?? 0) - (mean[at % DIMS] ?? 0);
}
