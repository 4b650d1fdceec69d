import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../../core/hash.ts";
import { directoryOf } from "../prepare/document.ts";
import type { FileRow } from "../store/stored-chunks.ts";
import { openImportPaths } from "./import-paths.ts";

/** Tells whether a file is still what was indexed: in its content, and in the package that a go.mod above puts it in. */
export function openFreshness(root: string): (file: FileRow) => boolean {
  const importPath = openImportPaths(root);
  return (file) => importPath(directoryOf(file.path)) === file.import_path && hasSameContent(root, file);
}

/** By size and time, and by the content itself where these have moved. */
function hasSameContent(root: string, file: FileRow): boolean {
  const path = join(root, file.path);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size !== file.size) return false;
  if (stat.ctimeMs === file.ctime_ms) return true;
  try {
    return sha256(readFileSync(path)) === file.hash;
  } catch {
    return false;
  }
}
