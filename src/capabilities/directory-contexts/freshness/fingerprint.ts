import { type Dirent, lstatSync, readdirSync, type Stats } from "node:fs";
import { sha256 } from "../../../core/hash.ts";
import { byCodeUnit } from "../../../core/order.ts";
import { CONTEXT_FILE } from "../schema.ts";

export interface FileStat {
  readonly name: string;
  readonly mtimeMs: number;
  readonly size: number;
}

/** One directory on disk, not recursive. Links, sockets and the like are not counted as files. */
export interface DirectoryListing {
  readonly files: readonly FileStat[];
  /** Names of real directories, without links to directories. */
  readonly directories: ReadonlySet<string>;
  /** The context file itself. It is not part of the files it describes. */
  readonly context?: Dirent;
}

/** `undefined` if the directory cannot be read. */
export function listDirectory(directory: string): DirectoryListing | undefined {
  let entries: Dirent[];
  try {
    entries = readdirSync(directory, { withFileTypes: true });
  } catch {
    return undefined;
  }
  const files: FileStat[] = [];
  const directories = new Set<string>();
  let context: Dirent | undefined;
  for (const entry of entries) {
    if (entry.isDirectory()) directories.add(entry.name);
    if (entry.name === CONTEXT_FILE) context = entry;
    else if (entry.isFile()) {
      const stat = statOf(`${directory}/${entry.name}`);
      if (stat) files.push({ name: entry.name, mtimeMs: stat.mtimeMs, size: stat.size });
    }
  }
  return { files, directories, ...(context && { context }) };
}

/** Eight hex digits over name, time and size of the directory's own files. */
export function fingerprintOf(files: readonly FileStat[]): string {
  // The joined strings are sorted, not the names: `a.ts:…` comes before `a:…`.
  const lines = files.map(({ name, mtimeMs, size }) => `${name}:${Math.floor(mtimeMs)}:${size}`);
  return sha256(lines.sort(byCodeUnit).join("\n")).slice(0, 8);
}

/** `undefined` if the file vanished, may not be accessed, or its name is not valid UTF-8. */
export function statOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
