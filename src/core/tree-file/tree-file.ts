import { lstatSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { askGit } from "../git/git.ts";
import { readBytes } from "../scan/read-text.ts";
import { openStore, type Store } from "../store/store.ts";

/** `time` is that of the commit which brought this content, in seconds: the same on every machine. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE files (path TEXT PRIMARY KEY, blob TEXT NOT NULL, time INTEGER NOT NULL, bytes BLOB NOT NULL);
   CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`,
];
/** The kind of a published tree file. */
export const TREE_KIND = `tree-${MIGRATIONS.length}`;

/** Larger files are not quoted, described or remembered. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

const TreeRow = z.object({ path: z.string(), blob: z.string(), time: z.number() });
export type TreeRow = z.output<typeof TreeRow>;

/** The text files of a commit in one SQLite file, so that the files of two commits share most blocks. */
export const openTreeFile = (file: string, options: { readonly readOnly: boolean }): Promise<Store> =>
  openStore({ file, migrations: MIGRATIONS, ...options });

export const treeRows = (store: Store): TreeRow[] =>
  z.array(TreeRow).parse(store.prepare("SELECT path, blob, time FROM files ORDER BY path").all());

/** What a tree file tells of its files that only their history could, as JSON. */
export function treeFact(store: Store, name: string): unknown {
  const row = store.prepare("SELECT value FROM facts WHERE name = ?").get(name);
  return row ? JSON.parse(z.object({ value: z.string() }).parse(row).value) : undefined;
}

export const setTreeFact = (store: Store, name: string, value: unknown): void =>
  void store
    .prepare("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)")
    .run(name, JSON.stringify(value));

/**
 * Makes the file that of a clean work tree. The files on disk get the times of their contents: a checkout gives them its
 * own, which tell nothing.
 */
export async function updateTreeFile(store: Store, root: string, signal: AbortSignal): Promise<void> {
  const git = { cwd: root, signal };
  const listed = await askGit(["ls-files", "-s", "-z"], git);
  const time = Number(await askGit(["log", "-1", "--format=%ct"], git));
  if (listed === undefined || !Number.isInteger(time)) throw new Error("not a work tree with a commit");
  const known = new Map(treeRows(store).map((row) => [row.path, row]));
  // node:sqlite takes an empty array for NULL.
  const put = store.prepare(
    "INSERT OR REPLACE INTO files (path, blob, time, bytes) VALUES (?, ?, ?, coalesce(?, zeroblob(0)))",
  );
  store.transaction(() => {
    for (const { path, blob } of regularFiles(listed)) {
      const before = known.get(path);
      const file = join(root, path);
      if (before?.blob === blob) {
        known.delete(path);
        setTime(file, before.time);
        continue;
      }
      const read = readBytes(file, MAX_FILE_BYTES);
      if ("skipped" in read || isBinary(read.bytes)) continue;
      put.run(path, blob, time, read.bytes);
      known.delete(path);
      setTime(file, time);
    }
    for (const path of known.keys()) store.prepare("DELETE FROM files WHERE path = ?").run(path);
  });
}

/** Mode 100644 or 100755: no links and no submodules. */
const regularFiles = (listed: string) =>
  listed.split("\0").flatMap((line) => {
    const [, blob, path] = /^100\d{3} ([0-9a-f]+) 0\t(.+)$/s.exec(line) ?? [];
    return blob !== undefined && path !== undefined && isTreePath(path) ? [{ path, blob }] : [];
  });

const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, 8_000).includes(0);

/** Refuses what must not be written to disk, whoever published it: paths that leave the tree, and what git or we keep there. */
export const isTreePath = (path: string): boolean =>
  !/[\0\\]/.test(path) &&
  path.split("/").every((part) => !["", ".", ".."].includes(part) && part.toLowerCase() !== ".git") &&
  !path.startsWith(".context-teleport/.local/");

function setTime(file: string, time: number): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isFile() && found.mtimeMs !== time * 1_000) utimesSync(file, time, time);
}
