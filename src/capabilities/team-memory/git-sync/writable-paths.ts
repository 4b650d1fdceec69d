import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { FileIds } from "../merge/store-merge.ts";
import { readStoreFile } from "../store/read-file.ts";
import type { ScopeTable } from "../store/scopes.ts";
import { sharingOf } from "../store/shared-files.ts";
import { listed, type Repository, refused } from "./repository/repository.ts";
import { asStored, blobId, type DiskFiles } from "./repository/store-tree.ts";

/** A name that is both a file and a folder: git would keep one of the two and say nothing. */
export function refuseClashes(result: FileIds): void {
  const clashing = [...result.keys()].filter((path) =>
    path.split("/").some((_, count, names) => count > 0 && result.has(names.slice(0, count).join("/"))),
  );
  if (clashing.length > 0)
    throw refused(`Both a file and a folder after the merge: ${listed(clashing)}. Rename one of them.`);
}

interface Coming {
  readonly disk: DiskFiles;
  readonly result: FileIds;
  readonly scopes: ScopeTable;
}

/**
 * The paths that may be written or taken away on disk. What stands there and is not what we compared, such as a
 * private entry or a file that is none of ours, is never replaced by a teammate's of the same name.
 */
export function writablePaths(
  repository: Repository,
  directory: string,
  { disk, result, scopes }: Coming,
): string[] {
  const changed = [...new Set([...disk.ids.keys(), ...result.keys()])].filter(
    (path) => disk.ids.get(path) !== result.get(path),
  );
  const isInTheWay = (path: string): boolean => {
    if (disk.read(path) !== undefined) return false;
    const stat = lstatSync(join(directory, path), { throwIfNoEntry: false });
    if (stat === undefined) return false;
    const bytes = stat.isFile() ? readStoreFile(directory, path)?.bytes : undefined;
    if (bytes === undefined || sharingOf(path, scopes) === "local") return true;
    return ![disk.ids.get(path), result.get(path)].includes(blobId(repository, asStored(repository, bytes)));
  };
  const inTheWay = changed.filter(isInTheWay);
  // Scopes of this clone only ever make more private; another program's committed ones can wait.
  const others = inTheWay.filter((path) => !path.endsWith(".scope.json"));
  const hidden = others.filter((path) => sharingOf(path, scopes) === "local");
  if (hidden.length > 0) {
    throw refused(
      `The team has entries named like private ones of yours: ${listed(hidden)}. Rename yours, then pull again.`,
      { files: hidden },
    );
  }
  if (others.length > 0) {
    throw refused(
      `Your uncommitted changes stand in the way: ${listed(others)}. Commit or move them, then pull again.`,
      { files: others },
    );
  }
  return changed.filter((path) => !inTheWay.includes(path));
}
