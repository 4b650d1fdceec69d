import { join } from "node:path";
import { fileStamp } from "../cache-files.ts";
import { isFailure } from "../failures.ts";
import { type LoadedCache, loadCache } from "../verify/load-cache.ts";
import type { ResolveInput } from "./resolve-input.ts";
import { type DocumentSelection, select } from "./select.ts";

/** Limit for documents kept in memory. A larger cache is read again for every query. */
const MAX_BYTES = 512 * 1024 * 1024;
/** How often a cache is read again if a build replaces it meanwhile. */
const MAX_ATTEMPTS = 8;

interface LoadedCaches {
  /** `locate` is called for every attempt, because a cache that is being replaced has another path for an instant. */
  select(
    locate: () => Promise<string>,
    question: ResolveInput,
    signal: AbortSignal,
  ): Promise<DocumentSelection>;
}

/**
 * LRU cache of loaded caches: the second query reads and hashes no document. Each query still checks that the
 * manifest, the documents folder and the selected documents are the files that were verified.
 */
export function keepLoadedCaches(maxBytes = MAX_BYTES): LoadedCaches {
  const held = new Map<string, LoadedCache>();
  const opening = new Map<string, Promise<LoadedCache>>();

  const keep = (directory: string, cache: LoadedCache) => {
    held.delete(directory);
    if (cache.bytes > maxBytes) return;
    held.set(directory, cache);
    let bytes = [...held.values()].reduce((sum, each) => sum + each.bytes, 0);
    for (const [oldest, each] of held) {
      if (bytes <= maxBytes) break;
      held.delete(oldest);
      bytes -= each.bytes;
    }
  };
  const read = async (directory: string, signal: AbortSignal) => {
    const cache = await loadCache(directory, signal);
    keep(directory, cache);
    return cache;
  };
  /** Concurrent callers share one read, unless the first caller was cancelled. */
  const readShared = async (directory: string, signal: AbortSignal): Promise<LoadedCache> => {
    const running = opening.get(directory);
    const theirs = running && (await running.catch(() => undefined));
    if (theirs !== undefined) return theirs;
    const own = read(directory, signal);
    opening.set(directory, own);
    try {
      return await own;
    } finally {
      if (opening.get(directory) === own) opening.delete(directory);
    }
  };
  const selectIn = async (directory: string, { query, budget }: ResolveInput, signal: AbortSignal) => {
    const known = held.get(directory);
    held.delete(directory);
    if (known?.isCurrent()) {
      const selection = select(known, query, budget);
      if (selection.choices.every(({ isTaken, ranked }) => !isTaken || ranked.document.isCurrent())) {
        keep(directory, known);
        return selection;
      }
    }
    return select(await readShared(directory, signal), query, budget);
  };

  return {
    async select(locate, question, signal) {
      for (let attempt = 1; ; attempt += 1) {
        const directory = await locate();
        const before = fileStamp(join(directory, "manifest.json"));
        try {
          return await selectIn(directory, question, signal);
        } catch (thrown) {
          const after = fileStamp(join(directory, "manifest.json"));
          const isReplaced = after === undefined || after !== before;
          const isTorn = isFailure(thrown, "cache_invalid") || isFailure(thrown, "cache_missing");
          if (attempt === MAX_ATTEMPTS || !isReplaced || !isTorn) throw thrown;
        }
      }
    },
  };
}
