import { z } from "zod";
import type { Store } from "../../../core/store/store.ts";
import type { PreparedFiles } from "../prepare/prepare-files.ts";
import type { CodeStore } from "./code-store.ts";
import { removeContent, writeContent } from "./stored-contents.ts";
import { CHUNKS_PER_FILE } from "./tables.ts";

const StoredFile = z.object({
  id: z.number(),
  path: z.string(),
  language: z.string(),
  package: z.string(),
  import_path: z.string(),
  hash: z.string(),
  size: z.number(),
  ctime_ms: z.number(),
  header_start: z.number(),
  header_end: z.number(),
});
export type StoredFile = z.infer<typeof StoredFile>;
const COLUMNS = Object.keys(StoredFile.shape).join(", ");

const StoredFileState = StoredFile.pick({
  id: true,
  path: true,
  language: true,
  import_path: true,
  hash: true,
  size: true,
  ctime_ms: true,
});
export type StoredFileState = z.infer<typeof StoredFileState>;
const PathRows = z.array(StoredFile.pick({ path: true }));
const NextId = z.object({ next: z.number() });
const SkippedFile = StoredFile.pick({ path: true, size: true, ctime_ms: true });
export type SkippedFile = z.infer<typeof SkippedFile>;
const FileCounts = z.object({ files: z.number(), texts: z.number(), symbols: z.number() });

export function readFile({ store }: CodeStore, id: number): StoredFile | undefined {
  const row = store.prepare(`SELECT ${COLUMNS} FROM files WHERE id = ?`).get(id);
  return row === undefined ? undefined : StoredFile.parse(row);
}

export function readFileAt({ store }: CodeStore, path: string): StoredFile | undefined {
  const row = store.prepare(`SELECT ${COLUMNS} FROM files WHERE path = ?`).get(path);
  return row === undefined ? undefined : StoredFile.parse(row);
}

/** All files, or those at these paths. */
export function knownFiles({ store }: CodeStore, paths?: readonly string[]): Map<string, StoredFileState> {
  const rows = rowsAt(store, "id, path, language, import_path, hash, size, ctime_ms FROM files", paths);
  // Thousands of rows that we wrote ourselves: checking the first is enough.
  if (rows.length > 0) StoredFileState.parse(rows[0]);
  return new Map((rows as StoredFileState[]).map((row) => [row.path, row]));
}

/** Files that were read and cannot be indexed, mostly binary ones. They are read again only if they change. */
export function skippedFiles({ store }: CodeStore, paths?: readonly string[]): Map<string, SkippedFile> {
  const rows = z.array(SkippedFile).parse(rowsAt(store, "path, size, ctime_ms FROM left_out", paths));
  return new Map(rows.map((row) => [row.path, row]));
}

function rowsAt(store: Store, columnsOfTable: string, paths: readonly string[] | undefined): unknown[] {
  if (paths === undefined) return store.prepare(`SELECT ${columnsOfTable}`).all();
  const find = store.prepare(`SELECT ${columnsOfTable} WHERE path = ?`);
  return paths.flatMap((path) => find.all(path));
}

/** Files whose time is not trusted: the next run compares their content. */
export function unsettledPaths({ store }: CodeStore): string[] {
  const rows = store.prepare(
    "SELECT path FROM files WHERE ctime_ms = 0 UNION SELECT path FROM left_out WHERE ctime_ms = 0",
  );
  return PathRows.parse(rows.all()).map(({ path }) => path);
}

export function nextFileId({ store }: CodeStore): number {
  const row = store.prepare("SELECT coalesce(max(id), 0) + 1 AS next FROM files").get();
  return NextId.parse(row).next;
}

/** Writes one prepared batch. The caller opens the transaction. */
export function writePrepared({ store, index }: CodeStore, prepared: PreparedFiles): void {
  const file = store.prepare(
    `INSERT OR REPLACE INTO files (id, path, language, package, import_path, hash, size, ctime_ms, symbols, header_start, header_end)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const names = store.prepare("INSERT INTO names (id, content) VALUES (?, ?)");
  const chunk = store.prepare("INSERT INTO chunks (id, start_line, end_line, symbols) VALUES (?, ?, ?, ?)");
  for (const one of prepared.files) {
    if (one.known) removeParts(store, one.id);
    file.run(
      one.id,
      one.path,
      one.language ?? "",
      one.packageName,
      one.importPath,
      one.hash,
      one.size,
      one.ctimeMs,
      one.symbols,
      one.header.startLine,
      one.header.endLine,
    );
    writeContent(store, one.id, one.content);
    if (one.names.length > 0) names.run(one.id, one.names);
    for (const [position, { startLine, endLine, symbols }] of one.chunks.slice(0, CHUNKS_PER_FILE).entries())
      chunk.run(one.id * CHUNKS_PER_FILE + position, startLine, endLine, symbols);
  }
  const touched = store.prepare("UPDATE files SET size = ?, ctime_ms = ? WHERE id = ?");
  for (const { id, size, ctimeMs } of prepared.unchanged) touched.run(size, ctimeMs, id);
  const skip = store.prepare("INSERT OR REPLACE INTO left_out (path, size, ctime_ms) VALUES (?, ?, ?)");
  for (const { file, isFinal } of prepared.refused) {
    if (isFinal) skip.run(file.path, file.size, file.ctimeMs);
  }
  if (prepared.batch.documentIds.length > 0) index.putPrepared(prepared.batch);
}

/** Removes files from the index. The caller opens the transaction. */
export function removeFiles({ store, index }: CodeStore, ids: readonly number[]): void {
  if (ids.length === 0) return;
  const file = store.prepare("DELETE FROM files WHERE id = ?");
  for (const id of ids) {
    removeParts(store, id);
    file.run(id);
  }
  index.delete(ids.map(String));
}

/**
 * Prepares a copy of an index for another directory: the times and metadata of the first say nothing about the second. The
 * next run compares every file by its content.
 */
export function forgetTimes({ store }: CodeStore): void {
  store.transaction(() => {
    store.exec(
      `UPDATE files SET ctime_ms = 0 WHERE ctime_ms <> 0; DELETE FROM left_out;
       DELETE FROM facts WHERE name NOT IN ('format', 'only_commits')`,
    );
  });
}

function removeParts(store: Store, fileId: number): void {
  removeContent(store, fileId);
  store.prepare("DELETE FROM names WHERE id = ?").run(fileId);
  const from = fileId * CHUNKS_PER_FILE;
  store.prepare("DELETE FROM chunks WHERE id >= ? AND id < ?").run(from, from + CHUNKS_PER_FILE);
}

/** Counts source files, other text files, and symbols. */
export function countFiles({ store }: CodeStore): z.infer<typeof FileCounts> {
  const row = store
    .prepare(
      "SELECT count(*) FILTER (WHERE language <> '') AS files, count(*) FILTER (WHERE language = '') AS texts, coalesce(sum(symbols), 0) AS symbols FROM files",
    )
    .get();
  return FileCounts.parse(row);
}
