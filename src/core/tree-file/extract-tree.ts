import { link, mkdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { isTreePath, openTreeFile, type TreeRow, treeRows } from "./tree-file.ts";

/** Files of a tree file, written to a directory. */
export interface ExtractedTree {
  readonly directory: string;
  /** By path: which content it has. */
  readonly blobs: ReadonlyMap<string, string>;
}

const Bytes = z.object({ bytes: z.instanceof(Uint8Array) });
const AT_ONCE = 32;

/**
 * Writes the files to a new directory. Those that `before` has too are linked, not copied. An empty file `.git` says that the
 * project ends here: neither git nor a room looks for it in the directories above.
 */
export async function extractTree(
  file: string,
  directory: string,
  { before }: { readonly before?: ExtractedTree | undefined } = {},
): Promise<ExtractedTree> {
  using store = await openTreeFile(file, { readOnly: true });
  const rows = treeRows(store).filter(({ path }) => isTreePath(path));
  const read = store.prepare("SELECT bytes FROM files WHERE path = ?");
  for (const folder of new Set(rows.map(({ path }) => dirname(join(directory, path)))))
    await mkdir(folder, { recursive: true, mode: 0o700 });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeFile(join(directory, ".git"), "", { flag: "wx" });
  const write = async ({ path, blob, time }: TreeRow) => {
    const target = join(directory, path);
    if (before?.blobs.get(path) === blob && (await isLinked(join(before.directory, path), target))) return;
    await writeFile(target, Bytes.parse(read.get(path)).bytes, { flag: "wx", mode: 0o600 });
    await utimes(target, time, time);
  };
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    await Promise.all(rows.slice(from, from + AT_ONCE).map(write));
  }
  return { directory, blobs: new Map(rows.map(({ path, blob }) => [path, blob])) };
}

const isLinked = (from: string, to: string): Promise<boolean> =>
  link(from, to).then(
    () => true,
    () => false,
  );
