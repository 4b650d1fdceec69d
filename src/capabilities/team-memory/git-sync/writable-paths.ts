import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { FileIds } from "../merge/store-merge.ts";
import { readStoreFile } from "../store/read-file.ts";
import type { ScopeTable } from "../store/scopes.ts";
import { sharingOf } from "../store/shared-files.ts";
import { listed, refused, type SyncRepository } from "./repository/repository.ts";
import { asStored, blobId, type DiskFiles } from "./repository/store-tree.ts";

/** If a name is both a file and a folder, git would silently drop one of them. */
export function refuseClashes(result: FileIds): void {
  const clashing = [...result.keys()].filter((path) =>
    path.split("/").some((_, count, names) => count > 0 && result.has(names.slice(0, count).join("/"))),
  );
  if (clashing.length > 0)
    throw refused(`Both a file and a folder after the merge: ${listed(clashing)}. Rename one of them.`);
}

interface StoreChange {
  readonly disk: DiskFiles;
  readonly result: FileIds;
  readonly scopes: ScopeTable;
}

/**
 * The paths that may be written or removed on disk. A file that was not part of the comparison, such as a private entry
 * or an unknown file, is never replaced by a teammate's file of the same name.
 */
export function writablePaths(
  repository: SyncRepository,
  directory: string,
  { disk, result, scopes }: StoreChange,
): string[] {
  const changed = [...new Set([...disk.ids.keys(), ...result.keys()])].filter(
    (path) => disk.ids.get(path) !== result.get(path),
  );
  const isBlocked = (path: string): boolean => {
    if (disk.read(path) !== undefined) return false;
    const stat = lstatSync(join(directory, path), { throwIfNoEntry: false });
    if (stat === undefined) return false;
    const bytes = stat.isFile() ? readStoreFile(directory, path)?.bytes : undefined;
    if (bytes === undefined || sharingOf(path, scopes) === "local") return true;
    return ![disk.ids.get(path), result.get(path)].includes(blobId(repository, asStored(repository, bytes)));
  };
  const blocked = changed.filter(isBlocked);
  // Local scopes can only make more entries private, so another program's committed scopes are skipped.
  const others = blocked.filter((path) => !path.endsWith(".scope.json"));
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
  return changed.filter((path) => !blocked.includes(path));
}
