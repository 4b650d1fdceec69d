import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import { DomainError } from "../../errors.ts";
import type { Embedder } from "./embedder.ts";
import { MINILM_DIMS, type MiniLmSession, openMiniLmSession } from "./minilm-session.ts";
import { MODEL_FILES } from "./model-files.ts";
import { shared } from "./shared.ts";

const Answer = z.object({
  id: z.int(),
  vectors: z.array(z.instanceof(Float32Array)).optional(),
  problem: z.string().optional(),
});
/** Small, so that a question does not wait long behind a background batch. */
const BATCH = 8;

/** The better model, in a thread of its own; run from the sources, in this one. Throws `unavailable` where it does not load. */
export async function openMiniLm(directory?: string): Promise<Embedder> {
  const session = await (directory === undefined ? shippedSession() : openSession(directory));
  return {
    identity: { id: "minilm", sha256: MODEL_FILES["minilm.onnx"], dims: MINILM_DIMS },
    batchSize: BATCH,
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += BATCH) {
        signal?.throwIfAborted();
        vectors.push(...(await session.embed(texts.slice(at, at + BATCH))));
      }
      return vectors;
    },
    close: () => session.close(),
  };
}

function openSession(directory?: string): Promise<MiniLmSession> {
  const worker = workerFile();
  return worker ? sessionInWorker(worker, directory) : openMiniLmSession(directory);
}
/** A model and its thread take a hundred megabytes: rooms of one process use the same. */
const shippedSession = shared(() => openSession());

/** The built worker beside the bundle; none when running from the sources. */
function workerFile(): string | undefined {
  if (import.meta.filename.endsWith(".ts")) return undefined;
  const near = [import.meta.dirname, dirname(import.meta.dirname)].map((folder) =>
    join(folder, "workers", "minilm.js"),
  );
  return near.find((file) => existsSync(file));
}

async function sessionInWorker(file: string, directory: string | undefined): Promise<MiniLmSession> {
  const worker = new Worker(file, { workerData: { directory } });
  const waiting = new Map<number, (answer: z.infer<typeof Answer>) => void>();
  const fail = (problem: string) => {
    for (const [id, settle] of waiting) settle({ id, problem });
    waiting.clear();
  };
  worker.on("message", (message: unknown) => {
    const answer = Answer.parse(message);
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
    if (waiting.size === 0) worker.unref();
  });
  worker.on("error", (error) => fail(error.message));
  worker.on("exit", () => fail("The embedding thread ended."));
  let next = 0;
  let last: Promise<unknown> = Promise.resolve();
  const ask = async (texts: readonly string[]) => {
    const id = next++;
    const answered = new Promise<z.infer<typeof Answer>>((settle) => {
      waiting.set(id, settle);
      worker.ref();
      worker.postMessage({ id, texts });
    });
    last = answered;
    const answer = await answered;
    if (!answer.vectors)
      throw new DomainError("unavailable", answer.problem ?? "The embedding thread gave nothing.");
    return answer.vectors;
  };
  // The first question shows whether the model and its runtime load at all.
  await ask(["ready"]);
  return {
    embed: ask,
    async close() {
      // Questions are answered in their order. A thread that is ended in the middle of one takes the process with it.
      await last;
      await worker.terminate();
    },
  };
}
