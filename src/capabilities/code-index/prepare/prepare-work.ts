import type { IndexSurroundings } from "../index-request.ts";
import type { FileToPrepare, PreparedFiles } from "./prepare-files.ts";
import { openPreparers } from "./worker-pool.ts";

const MIN_BATCH_BYTES = 200_000;
const MAX_BATCH_BYTES = 450_000;
const MAX_BATCH_FILES = 500;

interface Work {
  readonly root: string;
  readonly files: readonly FileToPrepare[];
  /** Is given each batch as soon as it is ready, in no order. */
  take(batch: PreparedFiles): void;
}

/** Prepares files batch by batch, several at once; when one fails, or the run is stopped, none is waited for. */
export async function prepareWork({ root, files, take }: Work, around: IndexSurroundings): Promise<void> {
  if (files.length === 0) return;
  const ending = new AbortController();
  const signal = AbortSignal.any([around.signal, ending.signal]);
  const preparers = openPreparers(files, { ...around, signal });
  const waiting = batchesOf(files, preparers.width).reverse();
  const prepareNext = async (): Promise<void> => {
    for (let batch = waiting.pop(); batch !== undefined; batch = waiting.pop()) {
      signal.throwIfAborted();
      take(await preparers.prepare({ root, files: batch }));
    }
  };
  try {
    await Promise.all(Array.from({ length: preparers.width }, prepareNext));
  } finally {
    ending.abort();
    await preparers.close();
  }
}

/** Batches by size: each becomes a segment of the search index, and there should be a few for each thread. */
function batchesOf(files: readonly FileToPrepare[], width: number): FileToPrepare[][] {
  const total = files.reduce((sum, file) => sum + file.size, 0);
  const target = Math.min(MAX_BATCH_BYTES, Math.max(MIN_BATCH_BYTES, total / (width * 2)));
  const batches: FileToPrepare[][] = [];
  let batch: FileToPrepare[] = [];
  let bytes = 0;
  for (const file of files) {
    batch.push(file);
    bytes += file.size;
    if (bytes < target && batch.length < MAX_BATCH_FILES) continue;
    batches.push(batch);
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
