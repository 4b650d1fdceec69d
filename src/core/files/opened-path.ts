import { constants, lstatSync, type Stats } from "node:fs";
import { type FileHandle, lstat, readlink, realpath } from "node:fs/promises";
import { errnoOf } from "../errors.ts";

/** Never waits for a FIFO's writer and never follows a link at the end of the path. A flag the system lacks is 0. */
export const READ_SAFELY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
export const DIRECTORY_SAFELY = READ_SAFELY | (constants.O_DIRECTORY ?? 0);

/** The real path of an open file. The kernel reports it, so a link swapped in the meantime has no effect. */
export async function pathOfOpened(handle: FileHandle, path: string): Promise<string | undefined> {
  try {
    return await readlink(`/proc/self/fd/${handle.fd}`);
  } catch (thrown) {
    if (errnoOf(thrown) !== "ENOENT" && errnoOf(thrown) !== "EACCES") throw thrown;
  }
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return undefined;
  const [named, opened] = await Promise.all([lstat(real), handle.stat()]);
  return named.dev === opened.dev && named.ino === opened.ino ? real : undefined;
}

/** A path bound to this open directory until its handle is closed, if the system has such paths; else `path`. */
export async function pathThrough(handle: FileHandle, path: string): Promise<string> {
  const through = `/proc/self/fd/${handle.fd}`;
  return (await readlink(through).catch(() => undefined)) === undefined ? path : through;
}

const UNREACHABLE = ["EACCES", "EPERM", "ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"];

/** `undefined` if nothing is there, or if a directory on the way is closed to this user: one such file must not stop the rest. */
export function lstatReachable(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (thrown) {
    if (UNREACHABLE.includes(errnoOf(thrown) ?? "")) return undefined;
    throw thrown;
  }
}
