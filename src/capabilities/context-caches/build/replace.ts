import { randomBytes } from "node:crypto";
import { existsSync, lstatSync, readdirSync, renameSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { syncDirectory } from "../../../core/files/atomic-write.ts";
import { replacedPath } from "../cache-path.ts";
import { cacheFailure } from "../failures.ts";

const OWN_ENTRIES = new Set(["manifest.json", "index.json", "documents"]);

/** A new name beside a cache for what is being built or thrown away. */
export const temporaryPath = (cache: string): string => `${cache}.tmp.${randomBytes(6).toString("hex")}`;

/** Under the build's lock: puts right what a build that was killed left beside the cache. */
export async function cleanUpAfterKill(cache: string): Promise<void> {
  const replaced = replacedPath(cache);
  if (existsSync(replaced)) renameSync(replaced, existsSync(cache) ? temporaryPath(cache) : cache);
  const parent = dirname(cache);
  if (!existsSync(parent)) return;
  const prefix = `${basename(cache)}.tmp.`;
  for (const name of readdirSync(parent)) {
    if (name.startsWith(prefix) && /^[0-9a-f]{12}$/.test(name.slice(prefix.length)))
      await rm(join(parent, name), { recursive: true, force: true });
  }
}

/** Refuses to build where something is, unless it is a cache and the caller said it may go. */
export function checkTarget(cache: string, isForced: boolean): void {
  const stat = lstatSync(cache, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!isForced)
    throw cacheFailure("io_error", { message: `${cache} exists. Use --force to replace it by a new cache.` });
  const foreign = stat.isDirectory()
    ? readdirSync(cache).find((name) => !OWN_ENTRIES.has(name))
    : basename(cache);
  if (foreign !== undefined)
    throw cacheFailure("io_error", {
      message: `${cache} is not only a cache (${foreign}), so it is not replaced.`,
    });
}

/**
 * Puts the new cache in the place of the old one. No call swaps two directories, so there is an instant between two
 * renames; readers then find the old cache by its other name, and the next build puts it back.
 */
export async function replaceCache(built: string, cache: string): Promise<void> {
  const replaced = replacedPath(cache);
  const isReplacing = existsSync(cache);
  if (isReplacing) renameSync(cache, replaced);
  try {
    renameSync(built, cache);
  } catch (thrown) {
    if (isReplacing) renameSync(replaced, cache);
    throw thrown;
  }
  if (isReplacing) {
    const passing = temporaryPath(cache);
    renameSync(replaced, passing);
    await rm(passing, { recursive: true, force: true });
  }
  await syncDirectory(dirname(cache));
}
