import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Embeddings } from "../../../core/search/index.ts";
import type { FileToPrepare } from "../scan/plan.ts";
import { type FileBatch, type PreparedFiles, prepareFiles } from "./prepare-files.ts";
import type { PrepareRequest, PrepareResponse, WorkerModel } from "./prepare-worker.ts";

interface FilesToPrepare extends FileBatch {
  /** Gets each batch as soon as it is ready, in any order. */
  onBatch(batch: PreparedFiles): void;
}
interface PoolOptions {
  readonly embeddings: Embeddings;
  readonly model: WorkerModel;
  readonly signal: AbortSignal;
}

const MIN_BATCH_BYTES = 400_000;
/** Each batch becomes a segment. Smaller segments would be merged, and a merge writes everything again. */
const MAX_BATCH_BYTES = 2_000_000;
const MAX_BATCH_FILES = 1_000;
/** Less work than this takes less time than the start of a thread, which also has to compile its code again. */
const FEW_BYTES = 1_000_000;
/** One writer limits the speed, and each thread costs a hundred megabytes. */
const MAX_THREADS = 2;
/**
 * Without limits a thread's garbage grows to many times what it needs. With a young generation of 4 MB, a fifth of the time was
 * spent on collecting garbage.
 */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 128 } as const;

/** Prepares files in batches, several at a time. If one batch fails or the run stops, it waits for no other. */
export async function prepareInBatches(
  { root, files, onBatch }: FilesToPrepare,
  options: PoolOptions,
): Promise<void> {
  if (files.length === 0) return;
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  const pool = openPool(files, { ...options, signal });
  const waiting = batchesOf(files, pool.width).reverse();
  const prepareNext = async (): Promise<void> => {
    for (let batch = waiting.pop(); batch !== undefined; batch = waiting.pop()) {
      signal.throwIfAborted();
      onBatch(await pool.prepare({ root, files: batch }));
    }
  };
  try {
    await Promise.all(Array.from({ length: pool.width }, prepareNext));
  } finally {
    ended.abort();
    await pool.close();
  }
}

/** Prepares batches in this thread or in worker threads. */
interface WorkerPool {
  /** How many batches to prepare at a time. */
  readonly width: number;
  prepare(batch: FileBatch): Promise<PreparedFiles>;
  close(): Promise<void>;
}

function openPool(files: readonly FileToPrepare[], { embeddings, model, signal }: PoolOptions): WorkerPool {
  const entry = fileURLToPath(new URL("./workers/code-index.js", import.meta.url));
  const isLittle = totalBytes(files) < FEW_BYTES;
  const here = inThisThread(embeddings, signal);
  // There is no built worker when the program runs from source.
  if (isLittle || !existsSync(entry)) return here;
  const threads = new ThreadPool(entry, model, Math.min(MAX_THREADS, availableParallelism()));
  signal.addEventListener("abort", () => void threads.close(), { once: true });
  return {
    width: threads.width,
    close: () => threads.close(),
    // A thread that dies, for example of one huge file, must not end the run.
    prepare: (batch) => threads.prepare(batch).catch(() => here.prepare(batch)),
  };
}

/** Batches by size. They get smaller towards the end, so that no thread waits long for the last one. */
function batchesOf(files: readonly FileToPrepare[], width: number): FileToPrepare[][] {
  const batches: FileToPrepare[][] = [];
  let left = totalBytes(files);
  let batch: FileToPrepare[] = [];
  let bytes = 0;
  for (const file of files) {
    batch.push(file);
    bytes += file.size;
    const target = Math.min(MAX_BATCH_BYTES, Math.max(MIN_BATCH_BYTES, left / (width * 2)));
    if (bytes < target && batch.length < MAX_BATCH_FILES) continue;
    batches.push(batch);
    left -= bytes;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

const totalBytes = (files: readonly FileToPrepare[]) => files.reduce((sum, { size }) => sum + size, 0);

function inThisThread(embeddings: Embeddings, signal: AbortSignal): WorkerPool {
  return {
    width: 1,
    prepare: async (batch) => {
      signal.throwIfAborted();
      return prepareFiles(batch, await embeddings.quick(), signal);
    },
    close: async () => {},
  };
}

interface PendingBatch {
  readonly resolve: (prepared: PreparedFiles) => void;
  readonly reject: (cause: Error) => void;
  readonly thread: number;
}

class ThreadPool implements WorkerPool {
  readonly width: number;
  readonly #workers: readonly Worker[];
  /** Batches in each thread; infinite for a thread that has ended. */
  readonly #load: number[];
  readonly #pending = new Map<number, PendingBatch>();
  #lastNumber = 0;

  constructor(entry: string, model: WorkerModel, count: number) {
    // One more than there are threads: no thread is idle while the database is written.
    this.width = count + 1;
    this.#load = Array.from({ length: count }, () => 0);
    this.#workers = this.#load.map((_, thread) => {
      const worker = new Worker(entry, { workerData: model, resourceLimits: THREAD_LIMITS });
      worker.on("message", (response: PrepareResponse) => this.#finish(response));
      worker.on("error", (cause) => this.#fail(thread, cause));
      worker.on("exit", () => this.#fail(thread, new Error("a worker thread ended early")));
      return worker;
    });
  }

  async prepare(batch: FileBatch): Promise<PreparedFiles> {
    const least = Math.min(...this.#load);
    if (least === Number.POSITIVE_INFINITY) throw new Error("every worker thread has ended");
    const thread = this.#load.indexOf(least);
    this.#load[thread] = least + 1;
    const request: PrepareRequest = { number: ++this.#lastNumber, batch };
    return new Promise((resolve, reject) => {
      this.#pending.set(request.number, { resolve, reject, thread });
      this.#workers[thread]?.postMessage(request);
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  #finish({ number, prepared, error }: PrepareResponse): void {
    const batch = this.#pending.get(number);
    if (batch === undefined) return;
    this.#pending.delete(number);
    this.#load[batch.thread] = (this.#load[batch.thread] ?? 1) - 1;
    if (prepared) batch.resolve(prepared);
    else batch.reject(new Error(error ?? "a worker thread gave no answer"));
  }

  #fail(thread: number, cause: Error): void {
    this.#load[thread] = Number.POSITIVE_INFINITY;
    for (const [number, batch] of this.#pending) {
      if (batch.thread !== thread) continue;
      this.#pending.delete(number);
      batch.reject(cause);
    }
  }
}
