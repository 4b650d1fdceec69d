import { inflateRawSync } from "node:zlib";
import { z } from "zod";
import type { CodeStore } from "./code-store.ts";
import { splitLines } from "./content.ts";
import type { OutlinedSymbol } from "./outline.ts";
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
  hash: z.string(),
  size: z.number(),
  mtime_ms: z.number(),
  header_start: z.number(),
  header_end: z.number(),
});
export type FileRow = z.infer<typeof FileRow>;
const HashRow = z.object({ hash: z.string() });
const ContentRow = z.object({ content: z.instanceof(Uint8Array) });

export interface StoredChunk {
  readonly id: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly symbols: readonly StoredSymbol[];
}

const COLUMNS = "id, path, language, package, hash, size, mtime_ms, header_start, header_end";

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

/** The lines of a file as they were when it was indexed. */
export function indexedLines(code: CodeStore, fileId: number): readonly string[] {
  const row = code.store.prepare("SELECT hash FROM files WHERE id = ?").get(fileId);
  if (row === undefined) return [];
  const { hash } = HashRow.parse(row);
  const known = recentLines.get(hash);
  if (known) return known;
  const content = code.store.prepare("SELECT content FROM contents WHERE file_id = ?").get(fileId);
  const lines = splitLines(inflateRawSync(ContentRow.parse(content).content).toString("utf8"));
  recentLines.set(hash, lines);
  const oldest = recentLines.keys().next();
  if (recentLines.size > MAX_RECENT && !oldest.done) recentLines.delete(oldest.value);
  return lines;
}

/** By content, so it is right for every index of this process: one search often shows several chunks of a file. */
const recentLines = new Map<string, readonly string[]>();
const MAX_RECENT = 64;

function asChunk(row: unknown): StoredChunk {
  const { id, start_line, end_line, symbols } = ChunkRow.parse(row);
  return { id, startLine: start_line, endLine: end_line, symbols: unpackSymbols(symbols) };
}
