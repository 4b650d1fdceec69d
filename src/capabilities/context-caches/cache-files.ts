import { closeSync, fstatSync, lstatSync, openSync, readdirSync, readSync, type Stats } from "node:fs";
import { errnoOf } from "../../core/errors.ts";
import { cacheFailure } from "./failures.ts";

const ABSENT = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE"]);

/** True if a file system error means that nothing is at the path. */
export const isNotFound = (thrown: unknown): boolean => ABSENT.has(errnoOf(thrown) ?? "");

/** The stat of a path, links not followed: `undefined` if nothing is there, `io_error` if the system cannot tell. */
export const lstatIfPresent = (path: string): Stats | undefined => lookUp(() => lstatSync(path));

/** The names in a directory; none if there is no directory. */
export const listNames = (directory: string): string[] => lookUp(() => readdirSync(directory)) ?? [];

function lookUp<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (thrown) {
    if (isNotFound(thrown)) return undefined;
    throw errnoOf(thrown) === undefined ? thrown : cacheFailure("io_error", { cause: thrown });
  }
}

/** Reads each file into the same buffer: a result is valid until the next call. */
export type FileReader = (file: string) => Buffer;

/** Reads only regular files: a link could lead anywhere and a pipe never ends. */
export function makeFileReader(): FileReader {
  let memory = Buffer.allocUnsafeSlow(64 * 1024);
  return (file) => {
    try {
      if (!lstatIfPresent(file)?.isFile()) throw cacheFailure("cache_invalid");
      const descriptor = openSync(file, "r");
      try {
        const { size } = fstatSync(descriptor);
        if (size >= memory.length) memory = Buffer.allocUnsafeSlow(size * 2);
        return memory.subarray(0, fill(descriptor, memory));
      } finally {
        closeSync(descriptor);
      }
    } catch (thrown) {
      if (errnoOf(thrown) === undefined) throw thrown;
      throw cacheFailure(isNotFound(thrown) ? "cache_invalid" : "io_error", { cause: thrown });
    }
  };
}

/** A file that grows while it is read is cut at the end of the buffer. Its hash then does not match. */
function fill(descriptor: number, memory: Buffer): number {
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, memory, length, memory.length - length, null);
    length += read;
    if (read === 0 || length === memory.length) return length;
  }
}

/** Changes when another file takes this one's place; `undefined` if there is no file. */
export function fileStamp(file: string): string | undefined {
  const stat = lstatIfPresent(file);
  return stat && `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
}
