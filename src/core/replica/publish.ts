import { type FileHandle, open } from "node:fs/promises";
import { sha256 } from "../hash.ts";
import { BLOCK_BYTES, manifestId, packBlock, unpackBlock } from "./blocks.ts";
import { readAt } from "./local-files.ts";
import type { Blocks, Generation, Manifest, Replica } from "./replica.ts";

/** So many blocks are in memory at once. */
const BATCH = 256;
/** A team's server takes twice as many hashes in a call. */
const MOST_ASKED = 5_000;
const TRIES = 5;
/** To read single blocks would take longer than to hash them. */
const PIECE_BYTES = 64 * BLOCK_BYTES;

export interface PublishedFile {
  readonly generation: Generation;
  /** Equal ones count once. */
  readonly blocks: number;
  /** How many blocks were not there yet, and their packed size. */
  readonly newBlocks: number;
  readonly newBytes: number;
}

interface PublishOptions {
  /** Reads every stored block and replaces those that are damaged. */
  readonly isRepair?: boolean;
  /** What a reader of this generation looks for: it is visible first. Blocks are stored meanwhile. */
  readonly after?: Promise<unknown> | undefined;
  readonly signal?: AbortSignal;
}

/** Stores the blocks of a file that are missing, then its manifest. The file must not change meanwhile. */
export async function publishFile(
  file: string,
  about: Omit<Generation, "manifest">,
  { blocks, registry }: Replica,
  { isRepair = false, after, signal }: PublishOptions = {},
): Promise<PublishedFile> {
  // A server tells of blocks only within generations that the caller has asked for.
  await registry.generations(about.project, about.kind);
  await using handle = await open(file, "r");
  const manifest = await cut(handle, signal);
  const sent = new Map<string, number>();
  const putMissing = async (isStored: (hashes: readonly string[]) => Promise<ReadonlySet<string>>) => {
    for (const hashes of batches([...new Set(manifest.blocks)], MOST_ASKED)) {
      const stored = await isStored(hashes);
      for (const missing of batches(hashes.filter((hash) => !stored.has(hash)))) {
        signal?.throwIfAborted();
        const packed = new Map<string, Uint8Array>();
        for (const hash of missing) packed.set(hash, packBlock(await readBlock(handle, manifest, hash)));
        await blocks.put(packed);
        for (const [hash, bytes] of packed) sent.set(hash, bytes.length);
      }
    }
  };
  const stored = (hashes: readonly string[]) => blocks.has(hashes);
  await putMissing(isRepair ? (hashes) => wholeBlocks(blocks, hashes) : stored);
  await after;
  const generation = { ...about, manifest: manifestId(manifest) };
  for (let tries = 1; !(await registry.publish(generation, manifest)); tries++) {
    if (tries >= TRIES) throw new Error("blocks of this generation are removed again and again");
    await putMissing(stored);
  }
  // If storing took longer than garbage collection waits, it may have removed blocks before it could see the manifest.
  await putMissing(stored);
  const newBytes = [...sent.values()].reduce((sum, bytes) => sum + bytes, 0);
  return { generation, blocks: new Set(manifest.blocks).size, newBlocks: sent.size, newBytes };
}

async function wholeBlocks(blocks: Blocks, hashes: readonly string[]): Promise<ReadonlySet<string>> {
  const whole = new Set<string>();
  for (const batch of batches(hashes))
    for (const [hash, packed] of await blocks.get(batch)) if (unpackBlock(packed, hash)) whole.add(hash);
  return whole;
}

async function cut(handle: FileHandle, signal: AbortSignal | undefined): Promise<Manifest> {
  const { size } = await handle.stat();
  const hashes: string[] = [];
  for (let at = 0; at < size; at += PIECE_BYTES) {
    signal?.throwIfAborted();
    const piece = await readAt(handle, at, PIECE_BYTES);
    for (let from = 0; from < piece.length; from += BLOCK_BYTES)
      hashes.push(sha256(piece.subarray(from, from + BLOCK_BYTES)));
  }
  return { version: 1, length: size, block_bytes: BLOCK_BYTES, blocks: hashes };
}

async function readBlock(handle: FileHandle, manifest: Manifest, hash: string): Promise<Uint8Array> {
  const at = manifest.blocks.indexOf(hash) * BLOCK_BYTES;
  const bytes = await readAt(handle, at, Math.min(BLOCK_BYTES, manifest.length - at));
  if (sha256(bytes) !== hash) throw new Error("the published file changed while it was read");
  return bytes;
}

export function* batches<T>(items: readonly T[], size = BATCH): Iterable<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

/** As `Promise.all`, but it throws only when all have ended: nothing goes on with files that the caller then removes. */
export async function allEnded<T extends readonly unknown[]>(
  ...parts: T
): Promise<{ -readonly [Place in keyof T]: Awaited<T[Place]> }> {
  await Promise.allSettled(parts);
  return Promise.all(parts);
}
