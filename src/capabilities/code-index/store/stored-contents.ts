import { deflateRawSync, inflateRawSync } from "node:zlib";
import { z } from "zod";
import { LruCache } from "../../../core/lru-cache.ts";
import { trigramSet } from "../../../core/search/match/trigrams.ts";
import { blobIn, numberIn } from "../../../core/search/segments/rows.ts";
import type { Store } from "../../../core/store/store.ts";
import { LINES_PER_FILE } from "./tables.ts";

/**
 * The text of a file as it was indexed, in compressed blocks of whole lines. A result shows a few lines; inflating a
 * file of a megabyte for them took longer than the search.
 */
export interface ContentBlock {
  readonly firstLine: number;
  readonly packed: Uint8Array;
  readonly trigrams: Uint8Array;
}

const BLOCK_BYTES = 16_384;
const LINE_END = 10;
const IdRows = z.array(z.object({ id: z.number() }));

export function packContent(bytes: Buffer): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  let firstLine = 1;
  for (let from = 0; from < bytes.length; ) {
    const lineEnd = bytes.indexOf(LINE_END, from + BLOCK_BYTES - 1);
    const to = lineEnd < 0 ? bytes.length : lineEnd + 1;
    const block = bytes.subarray(from, to);
    const packed = new Uint8Array(deflateRawSync(block, { level: 1 }));
    blocks.push({ firstLine, packed, trigrams: trigramSet(block) });
    if (to < bytes.length) firstLine += countLineEnds(block);
    from = to;
  }
  return blocks;
}

function countLineEnds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, at + 1)) count++;
  return count;
}

export function writeContent(store: Store, fileId: number, blocks: readonly ContentBlock[]): void {
  const write = store.prepare("INSERT INTO contents (id, content) VALUES (?, ?)");
  const sketch = store.prepare("INSERT INTO trigrams (id, bits) VALUES (?, ?)");
  for (const { firstLine, packed, trigrams } of blocks) {
    write.run(fileId * LINES_PER_FILE + firstLine, packed);
    sketch.run(fileId * LINES_PER_FILE + firstLine, trigrams);
  }
}

export function removeContent(store: Store, fileId: number): void {
  for (const table of ["contents", "trigrams"]) {
    const remove = store.prepare(`DELETE FROM ${table} WHERE id > ? AND id < ?`);
    remove.run(fileId * LINES_PER_FILE, (fileId + 1) * LINES_PER_FILE);
  }
}

export function splitLines(text: string): readonly string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return text.includes("\r") ? lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)) : lines;
}

/** Reads lines `from` to `to` of a file, counted from 1, as they were indexed. */
export function readLines(
  store: Store,
  file: { readonly id: number; readonly hash: string },
  from: number,
  to: number,
): readonly string[] {
  const base = file.id * LINES_PER_FILE;
  const first = Math.max(1, from);
  const find = store.prepare("SELECT max(id) AS id FROM contents WHERE id > ? AND id <= ?");
  let firstLine = numberIn(find.get(base, base + first), "id") - base;
  let lines: readonly string[] = [];
  while (firstLine > 0 && firstLine <= to) {
    const block = blockLines(store, base + firstLine, file.hash);
    if (block.length === 0) break;
    const taken = block.slice(Math.max(0, first - firstLine), to - firstLine + 1);
    lines = lines.length === 0 ? taken : [...lines, ...taken];
    // The next block begins where this one ends.
    firstLine += block.length;
  }
  return lines;
}

/** The blocks whose trigrams include all of one of the lists, in the order of the files. */
export function blocksWith(store: Store, alternatives: readonly (readonly number[])[]): readonly number[] {
  const ids = new Set<number>();
  for (const places of alternatives) {
    const tested = places.slice(0, MAX_TESTS);
    const conditions = tested.map(() => "instr(?, substr(bits, 1 + ? % length(bits), 1)) > 0");
    const find = store.prepare(
      `SELECT id FROM trigrams${conditions.length > 0 ? " WHERE " : ""}${conditions.join(" AND ")}`,
    );
    const values = tested.flatMap((place) => [BYTES_WITH_BIT[place & 7] ?? ALL_BYTES, place >>> 3]);
    for (const { id } of IdRows.parse(find.all(...values))) ids.add(id);
  }
  return [...ids].sort((a, b) => a - b);
}

/** More tests hardly leave out more blocks. */
const MAX_TESTS = 12;
const ALL_BYTES = Uint8Array.from({ length: 256 }, (_, byte) => byte);
/** SQLite cannot test a bit of a blob, but it can find a byte among all that have the bit. */
const BYTES_WITH_BIT = Array.from({ length: 8 }, (_, bit) => ALL_BYTES.filter((byte) => byte & (1 << bit)));

export const fileOfBlock = (id: number): number => Math.floor(id / LINES_PER_FILE);

/** The bytes of a block; none if another process has removed it. */
export function readBlock(store: Store, id: number) {
  const packed = blobIn(store.prepare("SELECT content FROM contents WHERE id = ?").get(id), "content");
  const bytes = packed ? inflated(packed) : Buffer.alloc(0);
  return { fileId: fileOfBlock(id), firstLine: id % LINES_PER_FILE, bytes };
}

/** None after the last block of a file. */
function blockLines(store: Store, id: number, hash: string): readonly string[] {
  const key = `${hash}:${id % LINES_PER_FILE}`;
  const known = recentBlocks.get(key);
  if (known) return known;
  const lines = splitLines(readBlock(store, id).bytes.toString("utf8"));
  // Another process may have removed the block and bring it back.
  if (lines.length > 0) recentBlocks.set(key, lines);
  return lines;
}

/** One piece of output for a block: by default zlib makes pieces of 16 kB and joins them, which takes twice as long. */
const inflated = (packed: Uint8Array): Buffer =>
  inflateRawSync(packed, { chunkSize: BLOCK_BYTES + 4_096, maxOutputLength: MAX_INFLATED });
/** Larger than any text that is indexed. In an index from elsewhere, a block may inflate to gigabytes. */
const MAX_INFLATED = 64 * 1024 ** 2;

/** Keyed by content hash, so one cache serves every index. One search often shows several chunks of a file. */
const recentBlocks = new LruCache<readonly string[]>(256);
