import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "../../errors.ts";
import { writeFileAtomic } from "../../files/atomic-write.ts";
import { READ_SAFELY } from "../../files/opened-path.ts";
import { byCodeUnit } from "../../order.ts";
import { MAX_PACKED_BYTES, type StoredBlocks } from "../replica.ts";

const SHARED = 0o644;

/** Blocks as files. The time of a file is when somebody last put it or asked for it. */
export function directoryBlocks(root: string): StoredBlocks {
  const fileOf = (hash: string) => join(root, hash.slice(0, 2), hash);
  return {
    async has(hashes) {
      const stored = await Promise.all(
        hashes.map(async (hash) => ((await touch(fileOf(hash))) ? [hash] : [])),
      );
      return new Set(stored.flat());
    },
    async put(packed) {
      await Promise.all([...packed].map(([hash, bytes]) => writeFileAtomic(fileOf(hash), bytes, SHARED)));
    },
    async get(hashes) {
      const found = await Promise.all(
        hashes.map(async (hash) => [hash, await readIfPresent(fileOf(hash), MAX_PACKED_BYTES)] as const),
      );
      return new Map(found.flatMap(([hash, bytes]) => (bytes ? [[hash, bytes] as const] : [])));
    },
    async *list() {
      for (const folder of (await namesIn(root)).sort(byCodeUnit)) {
        for (const name of (await namesIn(join(root, folder))).sort(byCodeUnit)) {
          if (/^[0-9a-f]{64}$/.test(name)) yield name;
        }
      }
    },
    async remove(hashes, before) {
      const removed = await Promise.all(hashes.map((hash) => removeIfUnused(fileOf(hash), before)));
      return removed.filter(Boolean).length;
    },
  };
}

async function touch(file: string): Promise<boolean> {
  const now = new Date();
  try {
    await utimes(file, now, now);
    return true;
  } catch (thrown) {
    if (isAbsent(thrown)) return false;
    throw thrown;
  }
}

/**
 * Renames the file before it looks at the time: who asks for the block later does not find it and puts it again, and who
 * asked earlier has left the time.
 */
async function removeIfUnused(file: string, before: Date): Promise<boolean> {
  const isUnused = async (path: string) => (await stat(path)).mtime < before;
  const aside = `${file}.${randomUUID()}.unused`;
  try {
    if (!(await isUnused(file))) return false;
    await rename(file, aside);
    if (await isUnused(aside)) {
      await rm(aside, { force: true });
      return true;
    }
    await rename(aside, file);
    return false;
  } catch (thrown) {
    if (isAbsent(thrown)) return false;
    throw thrown;
  }
}

/** `undefined` for anything but a regular file of at most `maxBytes`: others write into the directory too. */
export async function readIfPresent(file: string, maxBytes: number): Promise<Buffer | undefined> {
  try {
    await using handle = await open(file, READ_SAFELY);
    const info = await handle.stat();
    return info.isFile() && info.size <= maxBytes ? await handle.readFile() : undefined;
  } catch (thrown) {
    if (isAbsent(thrown)) return undefined;
    throw thrown;
  }
}

/** The names in a directory; none if it is not there yet. */
export async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (thrown) {
    if (isAbsent(thrown)) return [];
    throw thrown;
  }
}

export const isAbsent = (thrown: unknown): boolean =>
  ["ENOENT", "ENOTDIR", "ELOOP", "ENXIO"].includes(errnoOf(thrown) ?? "");

export const makeDirectory = async (directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true });
};
