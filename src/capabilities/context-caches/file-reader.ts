import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { errnoOf } from "../../core/errors.ts";
import { isNotFound, lstatIfPresent } from "./cache-files.ts";
import { cacheFailure } from "./failures.ts";

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
