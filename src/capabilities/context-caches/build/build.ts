import { rmSync } from "node:fs";
import { mkdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { DomainError, errnoOf } from "../../../core/errors.ts";
import { acquireLock, type Lock } from "../../../core/lock/lock.ts";
import type { Machine } from "../../../core/machine.ts";
import type { Call } from "../../../core/tool.ts";
import { fileStamp } from "../cache-files.ts";
import { isCachePath, lockPath } from "../cache-path.ts";
import { cacheFailure } from "../failures.ts";
import { checkTarget, cleanUpAfterKill, replaceCache, temporaryPath } from "./replace.ts";
import { findSources, includes } from "./sources.ts";
import { writeCache } from "./write-cache.ts";

export interface BuildRequest {
  readonly sources: string;
  readonly cache: string;
  readonly force: boolean;
  readonly include?: string | undefined;
}
export interface BuiltCache {
  readonly cache: string;
  readonly documents: number;
}

/** Builds a cache under a temporary name, then renames it. */
export async function buildCache(machine: Machine, request: BuildRequest, call: Call): Promise<BuiltCache> {
  const isIncluded = includes(request.include);
  const root = await directoryOf(request.sources);
  const cache = await targetOf(request.cache);
  const { signal, progress } = call;
  const rules = { isIncluded, isSkipped: (path: string) => isCachePath(cache, path), signal };
  try {
    return await withBuildLock(cache, signal, async () => {
      await cleanUpAfterKill(cache);
      checkTarget(cache, request.force);
      const sources = await findSources(root, rules);
      if (request.include !== undefined && sources.length === 0)
        throw new DomainError("invalid_input", `Nothing in ${request.sources} matches ${request.include}.`);
      const into = temporaryPath(cache);
      const createdAt = machine.now().toISOString();
      await writeCache({ root, sources, into, createdAt, progress, signal });
      await replaceCache(into, cache);
      return { cache, documents: sources.length };
    });
  } catch (thrown) {
    const errno = errnoOf(thrown);
    if (errno === undefined) throw thrown;
    throw cacheFailure("io_error", { message: `Cannot write the cache ${cache} (${errno}).`, cause: thrown });
  }
}

async function directoryOf(sources: string): Promise<string> {
  const real = await realpath(resolve(sources)).catch(() => undefined);
  if (real !== undefined && (await stat(real)).isDirectory()) return real;
  throw cacheFailure("io_error", { message: `Sources are not a directory: ${sources}` });
}

/** The real path of a cache that may not exist yet: two names of one directory must share a lock. */
async function targetOf(cache: string): Promise<string> {
  const path = resolve(cache);
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined) return real;
  const parent = await realpath(dirname(path)).catch(() => dirname(path));
  return join(parent, basename(path));
}

/**
 * One build of a cache at a time. The lock file is beside the cache, because builders may have different data
 * directories, and is removed after the build. A lock on a removed file excludes nobody, so waiters start again.
 */
async function withBuildLock<T>(cache: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(cache), { recursive: true });
  const file = lockPath(cache);
  for (;;) {
    const before = fileStamp(file);
    const lock = await acquire(cache, signal).catch((thrown: unknown) => {
      // SQLite fails in many ways if its file is removed. A timeout is not one of them.
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
    // Its own message gives advice about our data directory.
    throw cacheFailure("io_error", { message: `Cannot write beside the cache ${cache}.`, cause: thrown });
  }
}

function removeIfAllowed(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Windows does not remove an open file. It is empty, and the next build reuses it.
  }
}
