import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../core/hash.ts";
import type { FileRow } from "./stored-chunks.ts";

/** Whether a file is still what was indexed: by size and time, and by its content where these have moved. */
export function isFresh(root: string, file: FileRow): boolean {
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
