import { type FileHandle, open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../hash.ts";
import { blockLength } from "./blocks.ts";
import { Manifest } from "./replica.ts";

/** A complete file of a directory of ours, as its manifest says; its bytes may have changed since. */
export interface LocalFile {
  readonly id: string;
  readonly file: string;
  readonly handle: FileHandle;
  readonly manifest: Manifest;
}
interface LocalBlock {
  readonly handle: FileHandle;
  readonly at: number;
}

/** A call for each block of a file would take longer than the hashes. */
const BLOCKS_AT_ONCE = 64;

export const followedFile = (directory: string, manifest: string): string =>
  join(directory, `${manifest}.sqlite`);

export const readManifestOf = async (file: string): Promise<Manifest> =>
  Manifest.parse(JSON.parse(await readFile(`${file}.json`, "utf8")));

/** The files that are complete in a directory. */
export async function openLocalFiles(directory: string): Promise<LocalFile[]> {
  const files: LocalFile[] = [];
  for (const name of await readdir(directory)) {
    const id = /^([0-9a-f]{64})\.sqlite\.json$/.exec(name)?.[1];
    if (id === undefined) continue;
    try {
      const file = followedFile(directory, id);
      const manifest = await readManifestOf(file);
      files.push({ id, file, manifest, handle: await open(file, "r") });
    } catch {
      // Another process replaced the file, or it was never complete.
    }
  }
  return files;
}

export const blocksOf = (files: readonly LocalFile[]): ReadonlyMap<string, LocalBlock> =>
  new Map(
    files.flatMap(({ handle, manifest }) =>
      manifest.blocks.map((hash, position) => [hash, { handle, at: position * manifest.block_bytes }]),
    ),
  );

/** `undefined` if the bytes there are not the block with this hash. */
export async function readLocal(local: LocalBlock | undefined, hash: string, length: number) {
  if (local === undefined) return undefined;
  const bytes = await readAt(local.handle, local.at, length);
  return sha256(bytes) === hash ? bytes : undefined;
}

/** The positions whose bytes are not those of the manifest. */
export async function* damagedPositions(
  handle: FileHandle,
  manifest: Manifest,
  signal: AbortSignal | undefined,
): AsyncIterable<number> {
  const { blocks, block_bytes: size } = manifest;
  for (let first = 0; first < blocks.length; first += BLOCKS_AT_ONCE) {
    signal?.throwIfAborted();
    const piece = await readAt(handle, first * size, BLOCKS_AT_ONCE * size);
    for (const [offset, hash] of blocks.slice(first, first + BLOCKS_AT_ONCE).entries()) {
      const bytes = piece.subarray(offset * size, offset * size + blockLength(manifest, first + offset));
      if (sha256(bytes) !== hash) yield first + offset;
    }
  }
}

/** Fewer bytes at the end of the file. */
export async function readAt(handle: FileHandle, at: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await handle.read(bytes, done, length - done, at + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}
