import { z } from "zod";
import {
  type Embeddings,
  openSearchIndex,
  type SearchIndex,
  searchMigrations,
} from "../../../core/search/index.ts";
import { openStore, type Store } from "../../../core/store/store.ts";
import type { PreparedFiles } from "../prepare/prepare-files.ts";
import { removeContent, writeContent } from "./stored-contents.ts";
import { CHUNKS_PER_FILE, codeMigrations } from "./tables.ts";

const NAME = "code";
const KnownFile = z.object({
  id: z.number(),
  path: z.string(),
  import_path: z.string(),
  hash: z.string(),
  size: z.number(),
  ctime_ms: z.number(),
});
export type KnownFile = z.infer<typeof KnownFile>;
const LeftOut = KnownFile.pick({ path: true, size: true, ctime_ms: true });
export type LeftOut = z.infer<typeof LeftOut>;
const Count = z.object({ files: z.number(), texts: z.number(), symbols: z.number().nullable() });

/** One generation of a project's index: our tables and the search index in one database. */
export interface CodeStore extends Disposable {
  readonly store: Store;
  readonly index: SearchIndex;
}

export async function openCodeStore(
  file: string,
  embeddings: Embeddings,
  { readOnly = false } = {},
): Promise<CodeStore> {
  const store = await openStore({
    file,
    migrations: [...searchMigrations(NAME), ...codeMigrations],
    readOnly,
  });
  return {
    store,
    index: openSearchIndex({ store, name: NAME, embeddings }),
    [Symbol.dispose]: () => store.close(),
  };
}

export function knownFiles({ store }: CodeStore): Map<string, KnownFile> {
  const rows = store.prepare("SELECT id, path, import_path, hash, size, ctime_ms FROM files").all();
  // Thousands of rows of our own making: their shape is checked on the first.
  if (rows.length > 0) KnownFile.parse(rows[0]);
  return new Map((rows as KnownFile[]).map((row) => [row.path, row]));
}

/** Files that were read and are not to be indexed, binary ones mostly: read again only when they change. */
export function leftOut({ store }: CodeStore): Map<string, LeftOut> {
  const rows = z.array(LeftOut).parse(store.prepare("SELECT path, size, ctime_ms FROM left_out").all());
  return new Map(rows.map((row) => [row.path, row]));
}

export function nextFileId({ store }: CodeStore): number {
  const row = store.prepare("SELECT coalesce(max(id), 0) + 1 AS next FROM files").get();
  return z.object({ next: z.number() }).parse(row).next;
}

/** Writes one prepared batch; within a transaction of the caller. */
export function applyPrepared({ store, index }: CodeStore, prepared: PreparedFiles): void {
  const file = store.prepare(
    `INSERT OR REPLACE INTO files (id, path, language, package, import_path, hash, size, ctime_ms, symbols, header_start, header_end)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const chunk = store.prepare("INSERT INTO chunks (id, start_line, end_line, symbols) VALUES (?, ?, ?, ?)");
  for (const one of prepared.files) {
    if (one.known) removeParts(store, one.id);
    const { startLine, endLine } = one.header;
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
      startLine,
      endLine,
    );
    writeContent(store, one.id, one.content);
    for (const [place, { startLine: start, endLine: end, symbols }] of one.chunks.entries()) {
      if (place < CHUNKS_PER_FILE) chunk.run(one.id * CHUNKS_PER_FILE + place, start, end, symbols);
    }
  }
  const touched = store.prepare("UPDATE files SET size = ?, ctime_ms = ? WHERE id = ?");
  for (const { id, size, ctimeMs } of prepared.unchanged) touched.run(size, ctimeMs, id);
  const leave = store.prepare("INSERT OR REPLACE INTO left_out (path, size, ctime_ms) VALUES (?, ?, ?)");
  for (const { file, isFinal } of prepared.left) {
    if (isFinal) leave.run(file.path, file.size, file.ctimeMs);
  }
  if (prepared.batch.documentIds.length > 0) index.putPrepared(prepared.batch);
}

/** Takes files out of the index; within a transaction of the caller. */
export function removeFiles({ store, index }: CodeStore, ids: readonly number[]): void {
  if (ids.length === 0) return;
  const file = store.prepare("DELETE FROM files WHERE id = ?");
  for (const id of ids) {
    removeParts(store, id);
    file.run(id);
  }
  index.delete(ids.map(String));
}

function removeParts(store: Store, fileId: number): void {
  removeContent(store, fileId);
  const from = fileId * CHUNKS_PER_FILE;
  store.prepare("DELETE FROM chunks WHERE id >= ? AND id < ?").run(from, from + CHUNKS_PER_FILE);
}

/** Source files, other text files, and symbols. */
export function countFiles({ store }: CodeStore): { files: number; texts: number; symbols: number } {
  const row = store
    .prepare(
      "SELECT count(*) FILTER (WHERE language <> '') AS files, count(*) FILTER (WHERE language = '') AS texts, sum(symbols) AS symbols FROM files",
    )
    .get();
  const { files, texts, symbols } = Count.parse(row);
  return { files, texts, symbols: symbols ?? 0 };
}
