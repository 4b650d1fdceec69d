import { realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isInside } from "../../core/files/allowed-roots.ts";
import { isNotFound, lstatIfPresent } from "./cache-files.ts";
import { cacheFailure, isFailure } from "./failures.ts";

/** Where `build --force` puts the old cache for the instant between its two renames. */
export const replacedPath = (cache: string): string => `${cache}.tmp.replaced`;

/** The file whose lock a build holds. */
export const lockPath = (cache: string): string => `${cache}.tmp.lock`;

/** True for a cache and for the files its build puts beside it. They are never sources. */
export const isCachePath = (cache: string, path: string): boolean =>
  path.startsWith(cache) &&
  /^(\.tmp\.(replaced|lock(-journal)?|holder\.json|[0-9a-f]{12}))?$/.test(path.slice(cache.length));

/** The directory of a cache that an agent names. It is inside the cache root by real path, and never the root itself. */
export async function findCacheByName(cacheRoot: string, name: string): Promise<string> {
  if (name.includes("..") || name.includes("\0") || /^[/\\]/.test(name)) throw cacheFailure("cache_missing");
  const root = await realPath(cacheRoot);
  const place = root === undefined ? undefined : await existing(join(root, name));
  if (root === undefined || place === undefined || place === root || !isInside(root, place))
    throw cacheFailure("cache_missing");
  return place;
}

/** The directory a person means: a cache at that path, else a name under the cache root, else the path itself. */
export async function findCacheByPath(cacheRoot: string, path: string): Promise<string> {
  const direct = path === "" ? undefined : await existing(resolve(path));
  // The directory of the sources often has the same name as the cache.
  if (direct !== undefined && lstatIfPresent(join(direct, "manifest.json")) !== undefined) return direct;
  try {
    return await findCacheByName(cacheRoot, path);
  } catch (thrown) {
    if (direct !== undefined && isFailure(thrown, "cache_missing")) return direct;
    throw thrown;
  }
}

/** A build may replace the cache between two lookups. It cannot happen this many times in a row. */
const MAX_LOOKUPS = 20;

/** The real path of a directory, or of the old one while a build replaces it. */
async function existing(path: string): Promise<string | undefined> {
  for (let lookup = 0; lookup < MAX_LOOKUPS; lookup += 1) {
    for (const place of [path, replacedPath(path)]) {
      const real = await realPath(place);
      const stat = real === undefined ? undefined : lstatIfPresent(real);
      if (stat !== undefined) return stat.isDirectory() ? real : undefined;
    }
  }
  return undefined;
}

async function realPath(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (thrown) {
    if (isNotFound(thrown)) return undefined;
    throw cacheFailure("io_error", { cause: thrown });
  }
}
