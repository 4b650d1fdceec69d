import type { KnownFile, LeftOut } from "./code-store.ts";
import type { Candidate } from "./discover.ts";
import type { FileToPrepare } from "./prepare-files.ts";

export interface Plan {
  readonly work: readonly FileToPrepare[];
  /** Ids of files that left the project. */
  readonly removed: readonly number[];
  /** Source files that are as they were. */
  readonly skipped: number;
}

interface Indexed {
  readonly known: ReadonlyMap<string, KnownFile>;
  readonly left: ReadonlyMap<string, LeftOut>;
  readonly firstId: number;
}

/** Which files differ from what is indexed, told by size and time alone; their content decides later. */
export function planWork(candidates: readonly Candidate[], { known, left, firstId }: Indexed): Plan {
  const work: FileToPrepare[] = [];
  const present = new Set<string>();
  let skipped = 0;
  let nextId = firstId;
  for (const { path, language, size, ctimeMs } of candidates) {
    const before = known.get(path);
    if (before) present.add(path);
    const seen = before ?? left.get(path);
    if (seen?.size === size && seen.ctime_ms === ctimeMs) {
      if (language !== undefined) skipped++;
      continue;
    }
    const id = before?.id ?? nextId++;
    work.push({ id, path, language, size, ctimeMs, ...(before && { knownHash: before.hash }) });
  }
  const removed = [...known.values()].filter((file) => !present.has(file.path)).map((file) => file.id);
  return { work, removed, skipped };
}

/** Batches by size: each becomes a segment of the search index, and there should be a few for each thread. */
export function batchesOf(work: readonly FileToPrepare[], width: number): FileToPrepare[][] {
  const total = work.reduce((sum, file) => sum + file.size, 0);
  const target = Math.min(MAX_BATCH_BYTES, Math.max(MIN_BATCH_BYTES, total / (width * 2)));
  const batches: FileToPrepare[][] = [];
  let batch: FileToPrepare[] = [];
  let bytes = 0;
  for (const file of work) {
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

const MIN_BATCH_BYTES = 200_000;
const MAX_BATCH_BYTES = 450_000;
const MAX_BATCH_FILES = 500;
