import { rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import { acquireLock, type Lock } from "../../../core/lock/lock.ts";
import { lockPath } from "../cache-path.ts";
import { cacheFailure } from "../failures.ts";
import { fileStamp } from "../file-reader.ts";

/**
 * One builder of a cache at a time. The lock stands beside the cache, for builders need not share a data directory, and
 * goes with its holder. A lock on a file that has gone excludes nobody, so those who waited for it begin again.
 */
export async function withBuildLock<T>(
  cache: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  await mkdir(dirname(cache), { recursive: true });
  const file = lockPath(cache);
  for (;;) {
    const before = fileStamp(file);
    const lock = await acquire(cache, signal).catch((thrown: unknown) => {
      // SQLite fails in many ways where its file goes; having waited in vain is none of them.
      const isBusy = thrown instanceof DomainError && thrown.code === "busy";
      if (isBusy || fileStamp(file) === before) throw thrown;
    });
    try {
      if (lock === undefined || before === undefined || fileStamp(file) !== before) continue;
      try {
        return await work();
      } finally {
        removeIfAllowed(file);
      }
    } finally {
      lock?.release();
    }
  }
}

async function acquire(cache: string, signal: AbortSignal): Promise<Lock> {
  try {
    return await acquireLock({
      directory: dirname(cache),
      name: basename(lockPath(cache), ".lock"),
      purpose: "building a cache",
      waitMs: 600_000,
      signal,
    });
  } catch (thrown) {
    if (!(thrown instanceof DomainError) || thrown.reason !== "store_readonly") throw thrown;
    // Its own advice is about our data directory.
    throw cacheFailure("io_error", { message: `Cannot write beside the cache ${cache}.`, cause: thrown });
  }
}

function removeIfAllowed(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Windows keeps a file that is open; it is empty, and the next builder uses it.
  }
}
