import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Embeddings } from "../../../core/search/index.ts";
import type { IndexSurroundings } from "../index-request.ts";
import { type PreparedFiles, prepareFiles, type Task } from "./prepare-files.ts";
import type { ModelChoice } from "./vector-model.ts";

/** Prepares batches of files, here or in threads of its own, until its signal stops it. */
interface Preparers {
  /** How many batches are worth having under way at once. */
  readonly width: number;
  prepare(task: Task): Promise<PreparedFiles>;
  close(): Promise<void>;
}
export interface Answer {
  readonly number: number;
  readonly prepared?: PreparedFiles;
  readonly error?: string;
}

/** Threads take longer to start than this much takes to prepare. */
const FEW_FILES = 300;
const FEW_BYTES = 1_000_000;
/** The work is bounded by one writer, and each thread costs a hundred megabytes. */
const MAX_THREADS = 2;
/** Batches are small; without limits a thread lets its garbage grow to many times what it needs. */
const LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 } as const;

export function openPreparers(
  work: readonly { readonly size: number }[],
  { embeddings, model, signal }: Pick<IndexSurroundings, "embeddings" | "model" | "signal">,
): Preparers {
  const entry = fileURLToPath(new URL("./workers/code-index.js", import.meta.url));
  // Run from source there is no built worker; the same function then runs here.
  const bytes = work.reduce((sum, { size }) => sum + size, 0);
  const isLittle = work.length < FEW_FILES && bytes < FEW_BYTES;
  const here = inThisThread(embeddings, signal);
  if (isLittle || !existsSync(entry)) return here;
  const threads = inThreads(entry, model, Math.min(MAX_THREADS, availableParallelism()));
  signal.addEventListener("abort", () => void threads.close(), { once: true });
  return {
    ...threads,
    // A thread that dies, of one monstrous file for instance, must not end the run.
    prepare: (task) => threads.prepare(task).catch(() => here.prepare(task)),
  };
}

function inThisThread(embeddings: Embeddings, signal: AbortSignal): Preparers {
  return {
    width: 1,
    prepare: async (task) => {
      signal.throwIfAborted();
      return prepareFiles(task, await embeddings.quick(), signal);
    },
    close: async () => {},
  };
}

interface Waiting {
  readonly settle: (prepared: PreparedFiles) => void;
  readonly reject: (cause: Error) => void;
  readonly thread: number;
}

function inThreads(entry: string, choice: ModelChoice, count: number): Preparers {
  const waiting = new Map<number, Waiting>();
  const load: number[] = Array.from({ length: count }, () => 0);
  const threads = load.map((_, thread) => {
    const worker = new Worker(entry, { workerData: choice, resourceLimits: LIMITS });
    worker.on("message", (answer: Answer) => finish(answer));
    worker.on("error", (cause) => fail(thread, cause));
    worker.on("exit", () => fail(thread, new Error("a worker thread ended early")));
    return worker;
  });
  const fail = (thread: number, cause: Error) => {
    load[thread] = Number.POSITIVE_INFINITY;
    for (const [number, entry] of waiting) {
      if (entry.thread !== thread) continue;
      waiting.delete(number);
      entry.reject(cause);
    }
  };
  const finish = ({ number, prepared, error }: Answer) => {
    const entry = waiting.get(number);
    if (entry === undefined) return;
    waiting.delete(number);
    load[entry.thread] = (load[entry.thread] ?? 1) - 1;
    if (prepared) entry.settle(prepared);
    else entry.reject(new Error(error ?? "a worker thread gave no answer"));
  };
  let last = 0;
  return {
    // One more than there are threads: none is idle while the database is written.
    width: count + 1,
    prepare: (task) =>
      new Promise((settle, reject) => {
        const least = Math.min(...load);
        if (least === Number.POSITIVE_INFINITY) {
          reject(new Error("every worker thread has ended"));
          return;
        }
        const thread = load.indexOf(least);
        load[thread] = (load[thread] ?? 0) + 1;
        const number = ++last;
        waiting.set(number, { settle, reject, thread });
        threads[thread]?.postMessage({ number, task });
      }),
    async close() {
      await Promise.all(threads.map((worker) => worker.terminate()));
    },
  };
}
