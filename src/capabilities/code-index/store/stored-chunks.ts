import { z } from "zod";
import type { OutlinedSymbol } from "../prepare/chunk.ts";
import type { CodeStore } from "./code-store.ts";
import { unpackSymbols } from "./packed-symbols.ts";
import { CHUNKS_PER_FILE } from "./tables.ts";

export type StoredSymbol = OutlinedSymbol;
const ChunkRow = z.object({
  id: z.number(),
  start_line: z.number(),
  end_line: z.number(),
  symbols: z.string(),
});
const FileRow = z.object({
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
export type FileRow = z.infer<typeof FileRow>;

export interface StoredChunk {
  readonly id: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly symbols: readonly StoredSymbol[];
}

const COLUMNS = "id, path, language, package, import_path, hash, size, ctime_ms, header_start, header_end";

export function readChunk({ store }: CodeStore, id: number): StoredChunk | undefined {
  const row = store.prepare("SELECT id, start_line, end_line, symbols FROM chunks WHERE id = ?").get(id);
  return row === undefined ? undefined : asChunk(row);
}

export function chunksOfFile({ store }: CodeStore, fileId: number): StoredChunk[] {
  const from = fileId * CHUNKS_PER_FILE;
  const rows = store.prepare(
    "SELECT id, start_line, end_line, symbols FROM chunks WHERE id >= ? AND id < ? ORDER BY id",
  );
  return rows.all(from, from + CHUNKS_PER_FILE).map(asChunk);
}

/** Chunks whose symbols, as JSON in lower case, hold this text; all of them without one. Reads the whole table. */
export function* chunksHolding({ store }: CodeStore, fragment?: string): Generator<StoredChunk> {
  const all = "SELECT id, start_line, end_line, symbols FROM chunks";
  const rows =
    fragment === undefined
      ? store.prepare(`${all} ORDER BY id`).iterate()
      : store
          .prepare(`${all} WHERE instr(lower(symbols), ?) > 0 ORDER BY id`)
          .iterate(fragment.toLowerCase());
  for (const row of rows) yield asChunk(row);
}

export function readFile({ store }: CodeStore, id: number): FileRow | undefined {
  const row = store.prepare(`SELECT ${COLUMNS} FROM files WHERE id = ?`).get(id);
  return row === undefined ? undefined : FileRow.parse(row);
}

export function fileAt({ store }: CodeStore, path: string): FileRow | undefined {
  const row = store.prepare(`SELECT ${COLUMNS} FROM files WHERE path = ?`).get(path);
  return row === undefined ? undefined : FileRow.parse(row);
}

function asChunk(row: unknown): StoredChunk {
  const { id, start_line, end_line, symbols } = ChunkRow.parse(row);
  return { id, startLine: start_line, endLine: end_line, symbols: unpackSymbols(symbols) };
}
