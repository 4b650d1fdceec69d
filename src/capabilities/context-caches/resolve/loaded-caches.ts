import { join } from "node:path";
import { fileStamp } from "../cache-files.ts";
import { isFailure } from "../failures.ts";
import { type LoadedCache, loadCache } from "../verify/load-cache.ts";
import type { ResolveInput } from "./resolve-input.ts";
import { type DocumentSelection, select } from "./select.ts";

/** Most bytes of documents kept in memory; a single larger cache is read anew for every query. */
const MOST_BYTES = 512 * 1024 * 1024;
/** A build may replace a cache while it is read; so often it is read again. */
const MOST_ATTEMPTS = 8;

interface LoadedCaches {
  /** `locate` is asked again for every attempt, for a replaced cache may lie elsewhere for an instant. */
  select(
    locate: () => Promise<string>,
    question: ResolveInput,
    signal: AbortSignal,
  ): Promise<DocumentSelection>;
}

/**
 * Keeps the caches used last, so that the second query reads and hashes no document. It still looks whether the
 * manifest, the folder of documents and the documents it selects are the files that were verified.
 */
export function keepLoadedCaches(mostBytes = MOST_BYTES): LoadedCaches {
  const held = new Map<string, LoadedCache>();
  const opening = new Map<string, Promise<LoadedCache>>();

  const keep = (directory: string, cache: LoadedCache) => {
    held.delete(directory);
    if (cache.bytes > mostBytes) return;
    held.set(directory, cache);
    let bytes = [...held.values()].reduce((sum, each) => sum + each.bytes, 0);
    for (const [oldest, each] of held) {
      if (bytes <= mostBytes) break;
      held.delete(oldest);
      bytes -= each.bytes;
    }
  };
  const read = async (directory: string, signal: AbortSignal) => {
    const cache = await loadCache(directory, signal);
    keep(directory, cache);
    return cache;
  };
  /** Callers that come while a cache is read wait for that reading, unless its own caller gave up. */
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
          if (attempt === MOST_ATTEMPTS || !isReplaced || !isTorn) throw thrown;
        }
      }
    },
  };
}
