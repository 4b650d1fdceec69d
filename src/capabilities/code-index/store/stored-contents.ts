import { deflateRawSync, inflateRawSync } from "node:zlib";
import { z } from "zod";
import { LruCache } from "../../../core/lru-cache.ts";
import { trigramSet } from "../../../core/search/match/trigrams.ts";
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
const IdRow = z.object({ id: z.number() });
const StoredTrigrams = z.object({ id: z.number(), bits: z.instanceof(Uint8Array) });
const BlockRow = z.object({ content: z.instanceof(Uint8Array) });

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
  const find = store.prepare(
    `SELECT id FROM contents WHERE id <= ?
     AND id >= coalesce((SELECT max(id) FROM contents WHERE id > ? AND id <= ?), ?) ORDER BY id`,
  );
  const first = Math.max(1, from);
  const ids = z.array(IdRow).parse(find.all(base + to, base, base + first, base + first));
  let lines: readonly string[] = [];
  for (const { id } of ids) {
    const firstLine = id - base;
    const taken = blockLines(store, id, file.hash).slice(Math.max(0, first - firstLine), to - firstLine + 1);
    lines = lines.length === 0 ? taken : [...lines, ...taken];
  }
  return lines;
}

/** The ids of the blocks whose trigrams and file are wanted, in the order of the files. */
export function blocksWith(
  store: Store,
  isWanted: (fileId: number, trigrams: Uint8Array) => boolean,
): readonly number[] {
  const ids: number[] = [];
  for (const row of store.prepare("SELECT id, bits FROM trigrams ORDER BY id").iterate()) {
    const { id, bits } = StoredTrigrams.parse(row);
    if (isWanted(Math.floor(id / LINES_PER_FILE), bits)) ids.push(id);
  }
  return ids;
}

/** The text of a block; empty if another process has removed it. */
export function readBlock(store: Store, id: number) {
  const row = store.prepare("SELECT content FROM contents WHERE id = ?").get(id);
  const text = row === undefined || row === null ? "" : inflated(BlockRow.parse(row).content);
  return { fileId: Math.floor(id / LINES_PER_FILE), firstLine: id % LINES_PER_FILE, text };
}

function blockLines(store: Store, id: number, hash: string): readonly string[] {
  return recentBlocks.of(`${hash}:${id % LINES_PER_FILE}`, () => {
    const row = store.prepare("SELECT content FROM contents WHERE id = ?").get(id);
    return splitLines(inflated(BlockRow.parse(row).content));
  });
}

/** One piece of output for a block: by default zlib makes pieces of 16 kB and joins them, which takes twice as long. */
const inflated = (packed: Uint8Array): string =>
  inflateRawSync(packed, { chunkSize: BLOCK_BYTES + 4_096 }).toString("utf8");

/** Keyed by content hash, so one cache serves every index. One search often shows several chunks of a file. */
const recentBlocks = new LruCache<readonly string[]>(256);
