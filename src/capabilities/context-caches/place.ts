import { existsSync } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { errnoOf } from "../../core/errors.ts";
import { isInside } from "../../core/files/allowed-roots.ts";
import { cacheFailure, isFailure } from "./failures.ts";

const ABSENT = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE"]);

/** Where `build --force` puts the old cache for the instant between its two renames. */
export const replacedPlace = (cache: string): string => `${cache}.tmp.replaced`;

/** The directory of a cache an agent names: inside the cache root, whatever links say, and never the root itself. */
export async function placeOfName(cacheRoot: string, name: string): Promise<string> {
  if (name.includes("..") || name.includes("\0") || /^[/\\]/.test(name)) throw cacheFailure("cache_missing");
  const root = await realPath(cacheRoot);
  const place = root === undefined ? undefined : await existing(join(root, name));
  if (root === undefined || place === undefined || place === root || !isInside(root, place))
    throw cacheFailure("cache_missing");
  return place;
}

/** The directory a person means: a cache where they stand, else a name under the cache root, else what stands there. */
export async function placeOfPath(cacheRoot: string, path: string): Promise<string> {
  const direct = path === "" ? undefined : await existing(resolve(path));
  // The sources of a cache often have its name, and are no cache.
  if (direct !== undefined && existsSync(join(direct, "manifest.json"))) return direct;
  try {
    return await placeOfName(cacheRoot, path);
  } catch (thrown) {
    if (direct !== undefined && isFailure(thrown, "cache_missing")) return direct;
    throw thrown;
  }
}

/** The real path of a directory; while a build swaps it for another, that of the old one. */
async function existing(path: string): Promise<string | undefined> {
  // Asked twice, for the swap may end between the first two questions.
  const real = (await realPath(path)) ?? (await realPath(replacedPlace(path))) ?? (await realPath(path));
  if (real === undefined) return undefined;
  const stat = await lstat(real).catch(() => undefined);
  return stat?.isDirectory() ? real : undefined;
}

async function realPath(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (thrown) {
    if (ABSENT.has(errnoOf(thrown) ?? "")) return undefined;
    throw cacheFailure("io_error", { cause: thrown });
  }
}
