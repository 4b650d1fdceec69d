import { deflateRawSync, inflateRawSync } from "node:zlib";
import { z } from "zod";
import { LruCache } from "../../../core/lru-cache.ts";
import type { Store } from "../../../core/store/store.ts";
import { LINES_PER_FILE } from "./tables.ts";

/**
 * The text of a file as it was indexed, in compressed blocks of whole lines. A result shows a few lines; inflating a
 * file of a megabyte for them took longer than the search.
 */
export interface ContentBlock {
  readonly firstLine: number;
  readonly packed: Uint8Array;
}

const BLOCK_BYTES = 16_384;
const LINE_END = 10;
const IdRow = z.object({ id: z.number() });
const StoredBlock = z.object({ id: z.number(), content: z.instanceof(Uint8Array) });
const BlockRow = z.object({ content: z.instanceof(Uint8Array) });

export function packContent(bytes: Buffer): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  let firstLine = 1;
  for (let from = 0; from < bytes.length; ) {
    const lineEnd = bytes.indexOf(LINE_END, from + BLOCK_BYTES - 1);
    const to = lineEnd < 0 ? bytes.length : lineEnd + 1;
    const block = bytes.subarray(from, to);
    blocks.push({ firstLine, packed: new Uint8Array(deflateRawSync(block, { level: 1 })) });
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
  for (const { firstLine, packed } of blocks) write.run(fileId * LINES_PER_FILE + firstLine, packed);
}

export function removeContent(store: Store, fileId: number): void {
  const remove = store.prepare("DELETE FROM contents WHERE id > ? AND id < ?");
  remove.run(fileId * LINES_PER_FILE, (fileId + 1) * LINES_PER_FILE);
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

/** All text, block by block in the order of the files; a block is inflated when its bytes are asked for. */
export function* storedBlocks(store: Store) {
  for (const row of store.prepare("SELECT id, content FROM contents ORDER BY id").iterate()) {
    const { id, content } = StoredBlock.parse(row);
    const fileId = Math.floor(id / LINES_PER_FILE);
    yield { fileId, firstLine: id % LINES_PER_FILE, bytes: () => inflateRawSync(content) };
  }
}

function blockLines(store: Store, id: number, hash: string): readonly string[] {
  return recentBlocks.of(`${hash}:${id % LINES_PER_FILE}`, () => {
    const row = store.prepare("SELECT content FROM contents WHERE id = ?").get(id);
    return splitLines(inflateRawSync(BlockRow.parse(row).content).toString("utf8"));
  });
}

/** Keyed by content hash, so one cache serves every index. One search often shows several chunks of a file. */
const recentBlocks = new LruCache<readonly string[]>(256);
