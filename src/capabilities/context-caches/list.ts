import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { byUtf8 } from "./document.ts";
import { cacheFailure } from "./failures.ts";

export interface ListedCache {
  readonly path: string;
  readonly has_manifest: boolean;
}

/** The directories right below the cache root, by name. This discovers; it checks nothing but that a manifest is there. */
export async function listCaches(cacheRoot: string): Promise<ListedCache[]> {
  const entries = await readdir(cacheRoot, { withFileTypes: true }).catch((thrown: unknown) => {
    throw cacheFailure("io_error", { cause: thrown });
  });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(
    names.sort(byUtf8).map(async (path) => {
      const manifest = await lstat(join(cacheRoot, path, "manifest.json")).catch(() => undefined);
      return { path, has_manifest: manifest?.isFile() ?? false };
    }),
  );
}
