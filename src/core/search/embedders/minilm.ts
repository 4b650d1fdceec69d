import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Embedder } from "./embedder.ts";
import { MINILM_DIMS, type MiniLmSession, openMiniLmSession } from "./minilm-session.ts";
import { MODEL_FILES } from "./model-files.ts";
import { shared } from "./shared.ts";
import { openWorkerSession } from "./worker-session.ts";

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
  return worker ? openWorkerSession(worker, directory) : openMiniLmSession(directory);
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
