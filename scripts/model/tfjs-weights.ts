import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const Manifest = z.object({
  weightsManifest: z.array(
    z.object({
      weights: z.array(
        z.object({
          name: z.string(),
          shape: z.array(z.int()),
          quantization: z.object({ scale: z.number(), min: z.number() }).optional(),
        }),
      ),
    }),
  ),
});
const PREFIX = "StatefulPartitionedCall/model/tf_bert_model/bert/";

export interface Weight {
  readonly shape: readonly number[];
  readonly raw: Uint8Array;
  /** value = raw × scale + min. */
  readonly scale: number;
  readonly min: number;
}

/** The weights of a TensorFlow.js model with uint8 quantisation, by their name within BERT. */
export function readWeights(directory: string): ReadonlyMap<string, Weight> {
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(directory, "model.json"), "utf8")));
  const shard = readFileSync(join(directory, "group1-shard1of1.bin"));
  const weights = new Map<string, Weight>();
  let at = 0;
  for (const { name, shape, quantization } of manifest.weightsManifest.flatMap((group) => group.weights)) {
    const count = shape.reduce((product, size) => product * size, 1);
    const size = quantization ? count : count * 4;
    if (quantization)
      weights.set(name.replace(PREFIX, ""), { shape, raw: shard.subarray(at, at + count), ...quantization });
    at += size;
  }
  if (at !== shard.length) throw new Error(`The weights end at ${at}, the file at ${shard.length}.`);
  return weights;
}

export const dequantised = ({ raw, scale, min }: Weight): Float32Array =>
  Float32Array.from(raw, (value) => value * scale + min);
