import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { type FileHandle, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { DomainError } from "../errors.ts";
import { syncDirectory, writeFileAtomic } from "../files/atomic-write.ts";
import { sha256 } from "../hash.ts";
import type { Progress } from "../progress.ts";
import { blockLength, manifestId, unpackBlock } from "./blocks.ts";
import { holdLease } from "./held-lease.ts";
import { batches, readAt } from "./publish.ts";
import {
  type Blocks,
  type Generation,
  Manifest,
  type Registry,
  type Replica,
  readingLease,
} from "./replica.ts";

export interface FollowedFile {
  readonly file: string;
  readonly blocks: number;
  /** How many blocks were not in this directory yet, or were damaged there. */
  readonly fetched: number;
}
interface FollowOptions {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}
interface LocalBlock {
  readonly handle: FileHandle;
  readonly at: number;
}

/** A reader that does not renew its lease for so long is taken for dead. */
const READING_TTL_MS = 120_000;
const TRIES = 3;

/**
 * Puts the file of a generation together in a directory of ours, from blocks of the files that are there and from the
 * store. Every block is verified. Older files in the directory are removed, so it holds at most one.
 */
export async function followGeneration(
  generation: Generation,
  directory: string,
  { blocks, registry }: Replica,
  { signal, progress }: FollowOptions = {},
): Promise<FollowedFile> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const whole = await wholeFile(directory, generation.manifest, signal);
  if (whole) return whole;
  // Who may only read the store goes without: if the generation is collected meanwhile, a block is missing.
  const name = `${readingLease(generation.manifest)}${randomUUID()}`;
  await using _reading = await holdLease(registry, name, READING_TTL_MS).catch(() => undefined);
  const manifest = await verifiedManifest(registry, generation.manifest);
  const local = await localBlocks(directory);
  const file = followedFile(directory, generation.manifest);
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    const fetched = await assemble(manifest, { temporary, blocks, local: local.blocks, signal, progress });
    await rename(temporary, file);
    await writeFileAtomic(`${file}.json`, JSON.stringify(manifest), 0o600);
    await removeOthers(directory, generation.manifest);
    await syncDirectory(directory);
    return { file, blocks: manifest.blocks.length, fetched };
  } finally {
    await rm(temporary, { force: true });
    await Promise.all(local.handles.map((handle) => handle.close()));
  }
}

export const followedFile = (directory: string, manifest: string): string =>
  join(directory, `${manifest}.sqlite`);

/** The file of this manifest if it is here and every block of it is verified. Needs no store. */
export async function wholeFile(
  directory: string,
  id: string,
  signal?: AbortSignal,
): Promise<FollowedFile | undefined> {
  const file = followedFile(directory, id);
  try {
    const manifest = Manifest.parse(JSON.parse(await readFile(`${file}.json`, "utf8")));
    await using handle = await open(file, "r");
    if (manifestId(manifest) !== id || (await handle.stat()).size !== manifest.length) return undefined;
    for (const [position, hash] of manifest.blocks.entries()) {
      signal?.throwIfAborted();
      const at = position * manifest.block_bytes;
      if ((await readLocal({ handle, at }, hash, blockLength(manifest, position))) === undefined)
        return undefined;
    }
    return { file, blocks: manifest.blocks.length, fetched: 0 };
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}

async function verifiedManifest(registry: Registry, id: string): Promise<Manifest> {
  const manifest = await registry.manifest(id).catch((thrown: unknown) => {
    if (thrown instanceof z.ZodError || thrown instanceof SyntaxError) throw damagedManifest();
    throw thrown;
  });
  if (manifest === undefined) throw gone();
  if (manifestId(manifest) !== id) throw damagedManifest();
  return manifest;
}

interface AssembledFile {
  readonly temporary: string;
  readonly blocks: Blocks;
  readonly local: ReadonlyMap<string, LocalBlock>;
  readonly signal: AbortSignal | undefined;
  readonly progress: Progress | undefined;
}

async function assemble(manifest: Manifest, to: AssembledFile): Promise<number> {
  await using target = await open(to.temporary, "wx", 0o600);
  let fetched = 0;
  const positions = manifest.blocks.map((hash, position) => ({ hash, position }));
  for (const batch of batches(positions)) {
    to.signal?.throwIfAborted();
    const known = new Map<string, Uint8Array>();
    for (const { hash, position } of batch) {
      const bytes = await readLocal(to.local.get(hash), hash, blockLength(manifest, position));
      if (bytes) known.set(hash, bytes);
    }
    const missing = [...new Set(batch.map(({ hash }) => hash))].filter((hash) => !known.has(hash));
    for (const [hash, bytes] of await fetchVerified(to.blocks, missing)) known.set(hash, bytes);
    fetched += missing.length;
    for (const { hash, position } of batch) {
      const bytes = known.get(hash);
      if (bytes?.length !== blockLength(manifest, position)) throw damaged(hash);
      await target.write(bytes, 0, bytes.length, position * manifest.block_bytes);
    }
    const done = (batch.at(-1)?.position ?? 0) + 1;
    to.progress?.report({ done, total: positions.length, label: "blocks" });
  }
  await target.sync();
  return fetched;
}

async function readLocal(local: LocalBlock | undefined, hash: string, length: number) {
  if (local === undefined) return undefined;
  const bytes = await readAt(local.handle, local.at, length);
  return sha256(bytes) === hash ? bytes : undefined;
}

/** A block that arrives damaged is fetched again. */
async function fetchVerified(blocks: Blocks, hashes: readonly string[]): Promise<Map<string, Uint8Array>> {
  const verified = new Map<string, Uint8Array>();
  let missing = hashes;
  for (let tries = 0; tries < TRIES && missing.length > 0; tries++) {
    for (const [hash, packed] of await blocks.get(missing)) {
      const bytes = unpackBlock(packed, hash);
      if (bytes) verified.set(hash, bytes);
    }
    missing = hashes.filter((hash) => !verified.has(hash));
  }
  const [first] = missing;
  if (first !== undefined) throw damaged(first);
  return verified;
}

/** The blocks of files that are complete in this directory, by hash. */
async function localBlocks(directory: string) {
  const handles: FileHandle[] = [];
  const blocks = new Map<string, LocalBlock>();
  for (const name of await readdir(directory)) {
    if (!/^[0-9a-f]{64}\.sqlite\.json$/.test(name)) continue;
    try {
      const manifest = Manifest.parse(JSON.parse(await readFile(join(directory, name), "utf8")));
      const handle = await open(join(directory, name.slice(0, -".json".length)), "r");
      handles.push(handle);
      for (const [position, hash] of manifest.blocks.entries())
        blocks.set(hash, { handle, at: position * manifest.block_bytes });
    } catch {
      // Another process replaced the file, or it was never complete.
    }
  }
  return { handles, blocks };
}

async function removeOthers(directory: string, kept: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (/^[0-9a-f]{64}\.sqlite/.test(name) && !name.startsWith(kept))
      await rm(join(directory, name), { force: true }).catch(() => {});
  }
}

const gone = () =>
  new DomainError("not_found", "This generation is no longer in the team's store.", { reason: "retired" });
const damagedManifest = () =>
  new DomainError("unavailable", "The team's index is damaged. Run contextful code publish --repair.", {
    reason: "damaged_manifest",
  });
const damaged = (hash: string) =>
  new DomainError(
    "unavailable",
    `Block ${hash.slice(0, 12)} of the team's index is missing or damaged. Run contextful code publish --repair.`,
    { reason: "damaged_block", details: { hash } },
  );
