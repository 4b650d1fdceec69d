import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { DomainError, errnoOf } from "../../../core/errors.ts";
import type { Machine } from "../../../core/machine.ts";
import type { Call } from "../../../core/tool.ts";
import { isCachePath } from "../cache-path.ts";
import { cacheFailure } from "../failures.ts";
import { withBuildLock } from "./build-lock.ts";
import { includes } from "./include.ts";
import { checkTarget, cleanUpAfterKill, replaceCache, temporaryPath } from "./replace.ts";
import { findSources } from "./sources.ts";
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

/** Builds a cache beside its place and puts it there when it is whole. */
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

/** The real place of a cache to build, which need not exist: two names of one place must share a lock. */
async function targetOf(cache: string): Promise<string> {
  const path = resolve(cache);
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined) return real;
  const parent = await realpath(dirname(path)).catch(() => dirname(path));
  return join(parent, basename(path));
}
