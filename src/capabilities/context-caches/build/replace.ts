import { randomBytes } from "node:crypto";
import { existsSync, lstatSync, readdirSync, renameSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { syncDirectory } from "../../../core/files/atomic-write.ts";
import { replacedPath } from "../cache-path.ts";
import { cacheFailure } from "../failures.ts";

const OWN_ENTRIES = new Set(["manifest.json", "index.json", "documents"]);

/** A new temporary path beside the cache. */
export const temporaryPath = (cache: string): string => `${cache}.tmp.${randomBytes(6).toString("hex")}`;

/** Called under the build's lock. Restores or removes what a killed build left beside the cache. */
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

/** Refuses to replace anything except a cache, and that only with --force. */
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
 * Replaces the old cache by the new one. No system call swaps two directories, so two renames are needed. Between them,
 * readers find the old cache under its other name; after a crash the next build restores it.
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
