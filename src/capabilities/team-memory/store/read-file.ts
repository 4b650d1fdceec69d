import { isUtf8 } from "node:buffer";
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import { DomainError, errnoOf } from "../../../core/errors.ts";

/** Tells two versions of a file apart. A file replaced by rename has a new inode. */
export interface FileVersion {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
}
interface StoreFileRead {
  readonly bytes: Buffer;
  readonly version: FileVersion;
}

/** Larger files cannot be entries; they are reported and left alone. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * The absolute path of a file of the store. Every read and write goes through it: if a folder above the file were a
 * link, we would read or write outside the store.
 */
export function storePath(directory: string, path: string): string {
  const segments = path.split("/");
  if (segments.some((name) => name === "" || name === "." || name === "..") || path.includes("\0")) {
    throw unreadable(path, "its path leaves the store");
  }
  for (let count = 0; count < segments.length; count += 1) {
    const stat = lstatSync(join(directory, ...segments.slice(0, count)), { throwIfNoEntry: false });
    if (stat === undefined) break;
    if (!stat.isDirectory()) throw unreadable(path, "a folder above it is a link or a file");
  }
  return join(directory, path);
}

/** Reads a regular file of the store: no link, pipe or device, nothing huge. `undefined` if it does not exist. */
export function readStoreFile(directory: string, path: string): StoreFileRead | undefined {
  storePath(directory, path);
  return readRegularFile(directory, path);
}

/** The items of a folder of the store. Throws if the folder is missing or a link. */
export function listFolder(directory: string, folder: string): Dirent[] {
  storePath(directory, `${folder}/x`);
  return readdirSync(join(directory, folder), { withFileTypes: true });
}

/** Like `readStoreFile`, for a caller that has already checked the folders above the file. */
export function readRegularFile(directory: string, path: string): StoreFileRead | undefined {
  let handle: number;
  try {
    handle = openSync(`${directory}/${path}`, FLAGS);
  } catch (thrown) {
    if (["ENOENT", "ENOTDIR"].includes(errnoOf(thrown) ?? "")) return undefined;
    throw unreadable(path, errnoOf(thrown) === "ELOOP" ? "it is a link" : "it cannot be opened", thrown);
  }
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile()) throw unreadable(path, "it is not a regular file");
    if (stat.size > MAX_FILE_BYTES) throw unreadable(path, "it is too large");
    return { bytes: readAll(handle, stat.size), version: versionOf(stat) };
  } finally {
    closeSync(handle);
  }
}

/** The text as written, with a byte order mark if it has one. Invalid UTF-8 is an error, never a guess. */
export function decodeText(bytes: Buffer, path: string): string {
  if (!isUtf8(bytes)) throw unreadable(path, "it is not valid UTF-8");
  return bytes.toString("utf8");
}

export function versionAt(directory: string, path: string): FileVersion | undefined {
  const stat = lstatSync(`${directory}/${path}`, { throwIfNoEntry: false });
  return stat?.isFile() ? versionOf(stat) : undefined;
}

export const sameVersion = (a: FileVersion | undefined, b: FileVersion | undefined): boolean =>
  a === b ||
  (a !== undefined &&
    b !== undefined &&
    a.ino === b.ino &&
    a.size === b.size &&
    a.mtimeMs === b.mtimeMs &&
    a.ctimeMs === b.ctimeMs);

export const unreadable = (path: string, why: string, cause?: unknown) =>
  new DomainError("unavailable", `${path} in the context store cannot be used: ${why}.`, {
    reason: "unreadable",
    details: { file: path },
    cause,
  });

/** Explains write errors that a person can fix; returns any other error unchanged. */
export function asStoreError(thrown: unknown): unknown {
  const errno = errnoOf(thrown);
  if (["EROFS", "EACCES", "EPERM"].includes(errno ?? "")) {
    return new DomainError(
      "unavailable",
      "The context store cannot be written: the directory is read-only for this user.",
      { cause: thrown },
    );
  }
  if (errno === "EIO") {
    return new DomainError(
      "unavailable",
      "The disk refused the write. Check the disk, then try again: nothing is left half done.",
      { cause: thrown },
    );
  }
  return thrown;
}

/** Reads what the file held when it was opened. If the file shrinks meanwhile, the result is shorter. */
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

const versionOf = ({ size, mtimeMs, ctimeMs, ino }: Stats): FileVersion => ({ size, mtimeMs, ctimeMs, ino });
