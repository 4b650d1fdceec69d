import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs";
import { join } from "node:path";
import { DomainError, errnoOf } from "../../../core/errors.ts";

/** What tells two versions of a file apart. A file replaced by rename has a new inode. */
export interface Version {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
}
export interface FileRead {
  readonly bytes: Buffer;
  readonly version: Version;
}

/** Larger files are no entries of ours; they are reported and left alone. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Reads a regular file of the store: no links, no pipes or devices, nothing huge. `undefined` where there is none. */
export function readStoreFile(directory: string, path: string): FileRead | undefined {
  assertRealFolders(directory, path);
  return readRegularFile(directory, path);
}

/** As above, where the folders were looked at already. */
export function readRegularFile(directory: string, path: string): FileRead | undefined {
  let handle: number;
  try {
    handle = openSync(`${directory}/${path}`, FLAGS);
  } catch (thrown) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(thrown) ?? "")) return undefined;
    throw unreadable(path, errnoOf(thrown) === "ELOOP" ? "it is a link" : "it cannot be opened", thrown);
  }
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile()) throw unreadable(path, "it is no regular file");
    if (stat.size > MAX_FILE_BYTES) throw unreadable(path, "it is too large");
    return { bytes: readAll(handle, stat.size), version: versionOf(stat) };
  } finally {
    closeSync(handle);
  }
}

/** The text as it was written, a byte order mark included; invalid UTF-8 is an error, never a guess. */
export function decodeText(bytes: Buffer, path: string): string {
  if (!isUtf8(bytes)) throw unreadable(path, "it is not valid UTF-8");
  return bytes.toString("utf8");
}

export function versionAt(directory: string, path: string): Version | undefined {
  const stat = lstatSync(`${directory}/${path}`, { throwIfNoEntry: false });
  return stat?.isFile() ? versionOf(stat) : undefined;
}

export const sameVersion = (a: Version | undefined, b: Version | undefined): boolean =>
  a === b ||
  (a !== undefined &&
    b !== undefined &&
    a.ino === b.ino &&
    a.size === b.size &&
    a.mtimeMs === b.mtimeMs &&
    a.ctimeMs === b.ctimeMs);

/** No folder between the store and the file may be a link, or a write would land elsewhere. */
export function assertRealFolders(directory: string, path: string): void {
  const segments = path.split("/");
  if (segments.some((name) => name === "" || name === "." || name === "..") || path.includes("\0")) {
    throw unreadable(path, "its path leaves the store");
  }
  for (let count = 0; count < segments.length; count += 1) {
    const folder = join(directory, ...segments.slice(0, count));
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (!stat.isDirectory()) throw unreadable(path, "a folder above it is a link or a file");
  }
}

export const unreadable = (path: string, why: string, cause?: unknown) =>
  new DomainError("unavailable", `${path} in the context store cannot be used: ${why}.`, {
    reason: "unreadable",
    details: { file: path },
    cause,
  });

/** What it held when it was opened; a file that shrinks meanwhile gives what is left. */
function readAll(handle: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const count = readSync(handle, bytes, length, size - length, null);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}

const versionOf = ({ size, mtimeMs, ctimeMs, ino }: Stats): Version => ({ size, mtimeMs, ctimeMs, ino });
