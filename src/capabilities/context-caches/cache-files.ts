import { closeSync, fstatSync, lstatSync, openSync, readdirSync, readSync, type Stats } from "node:fs";
import { errnoOf } from "../../core/errors.ts";
import { cacheFailure } from "./failures.ts";

const ABSENT = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE"]);

/** True where an error of the file system says that nothing can be at a path. */
export const isNotFound = (thrown: unknown): boolean => ABSENT.has(errnoOf(thrown) ?? "");

/** What is at a path, links not followed; `undefined` where nothing is, `io_error` where that cannot be told. */
export const lstatIfPresent = (path: string): Stats | undefined => lookUp(() => lstatSync(path));

/** The names in a directory; none where there is no directory. */
export const listNames = (directory: string): string[] => lookUp(() => readdirSync(directory)) ?? [];

function lookUp<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (thrown) {
    if (isNotFound(thrown)) return undefined;
    throw errnoOf(thrown) === undefined ? thrown : cacheFailure("io_error", { cause: thrown });
  }
}

/** Reads one file after another into the same memory: what a call gives is good until the next one. */
export type FileReader = (file: string) => Buffer;

/** Only regular files of the cache itself are read: a link could lead anywhere and a pipe never ends. */
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

/** A file that grows while it is read is cut where the memory ends; its hash then tells. */
function fill(descriptor: number, memory: Buffer): number {
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, memory, length, memory.length - length, null);
    length += read;
    if (read === 0 || length === memory.length) return length;
  }
}

/** What tells a file from another that took its place; `undefined` where there is none. */
export function fileStamp(file: string): string | undefined {
  const stat = lstatIfPresent(file);
  return stat && `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
}
