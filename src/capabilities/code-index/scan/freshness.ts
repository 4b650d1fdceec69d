import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lstatReachable } from "../../../core/files/opened-path.ts";
import { sha256 } from "../../../core/hash.ts";
import type { StoredFile } from "../store/stored-files.ts";
import { directoryOf, openImportPaths } from "./import-paths.ts";

/** Says whether a file is still as it was indexed: the same content, and the same package by the go.mod above it. */
export function openFreshness(root: string): (file: StoredFile) => boolean {
  const importPath = openImportPaths(root);
  return (file) => importPath(directoryOf(file.path)) === file.import_path && hasSameContent(root, file);
}

/** Compares size and time first, and the content only if the time differs. */
function hasSameContent(root: string, file: StoredFile): boolean {
  const path = join(root, file.path);
  const stat = lstatReachable(path);
  if (!stat?.isFile() || stat.size !== file.size) return false;
  if (stat.ctimeMs === file.ctime_ms) return true;
  try {
    return sha256(readFileSync(path)) === file.hash;
  } catch {
    return false;
  }
}
