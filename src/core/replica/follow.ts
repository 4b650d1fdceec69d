import { randomUUID } from "node:crypto";
import { constants, mkdirSync } from "node:fs";
import { copyFile, type FileHandle, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { DomainError } from "../errors.ts";
import { syncDirectory, writeFileAtomic } from "../files/atomic-write.ts";
import type { Progress } from "../progress.ts";
import { blockLength, manifestId, unpackBlock } from "./blocks.ts";
import { holdLease } from "./held-lease.ts";
import {
  blocksOf,
  damagedPositions,
  followedFile,
  type LocalFile,
  openLocalFiles,
  readLocal,
  readManifestOf,
} from "./local-files.ts";
import { batches } from "./publish.ts";
import {
  type Blocks,
  type Generation,
  type Manifest,
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
  /** The manifest whose file this process has verified: only what differs from it is verified. */
  readonly verified?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
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
  { verified, signal, progress }: FollowOptions = {},
): Promise<FollowedFile> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const whole = await wholeFile(directory, generation.manifest, signal);
  if (whole) return whole;
  // Who may only read the store goes without: if the generation is collected meanwhile, a block is missing.
  const name = `${readingLease(generation.manifest)}${randomUUID()}`;
  await using _reading = await holdLease(registry, name, READING_TTL_MS).catch(() => undefined);
  const manifest = await verifiedManifest(registry, generation.manifest);
  const local = await openLocalFiles(directory);
  const file = followedFile(directory, generation.manifest);
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    const fetched = await assemble(manifest, { temporary, blocks, local, verified, signal, progress });
    await rename(temporary, file);
    await writeFileAtomic(`${file}.json`, JSON.stringify(manifest), 0o600);
    await removeOthers(directory, generation.manifest);
    await syncDirectory(directory);
    return { file, blocks: manifest.blocks.length, fetched };
  } finally {
    await rm(temporary, { force: true });
    await Promise.all(local.map(({ handle }) => handle.close()));
  }
}

/** The file of this manifest if it is here and every block of it is verified. Needs no store. */
export async function wholeFile(
  directory: string,
  id: string,
  signal?: AbortSignal,
): Promise<FollowedFile | undefined> {
  const file = followedFile(directory, id);
  try {
    const manifest = await readManifestOf(file);
    await using handle = await open(file, "r");
    if (manifestId(manifest) !== id || (await handle.stat()).size !== manifest.length) return undefined;
    for await (const _damaged of damagedPositions(handle, manifest, signal)) return undefined;
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

interface AssembledFile extends FollowOptions {
  readonly temporary: string;
  readonly blocks: Blocks;
  readonly local: readonly LocalFile[];
}
interface PlacedBlock {
  readonly hash: string;
  readonly position: number;
}

/** Copies a file that is here, and writes the blocks that differ. Returns how many were fetched. */
async function assemble(manifest: Manifest, to: AssembledFile): Promise<number> {
  const base = to.local.find((known) => known.manifest.block_bytes === manifest.block_bytes);
  if (base) await copyFile(base.file, to.temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await using target = await open(to.temporary, base ? "r+" : "wx", 0o600);
  const wanted = base ? await differences(manifest, base, { ...to, target }) : placed(manifest);
  const local = blocksOf(to.local);
  let fetched = 0;
  const load = async (batch: readonly PlacedBlock[]) => {
    const known = new Map<string, Uint8Array>();
    for (const { hash, position } of batch) {
      const bytes = await readLocal(local.get(hash), hash, blockLength(manifest, position));
      if (bytes) known.set(hash, bytes);
    }
    const missing = [...new Set(batch.map(({ hash }) => hash))].filter((hash) => !known.has(hash));
    return { known, missing, packed: missing.length > 0 ? await to.blocks.get(missing) : new Map() };
  };
  let done = 0;
  for await (const { batch, loaded } of oneAhead(batches(wanted), load)) {
    to.signal?.throwIfAborted();
    const { known, missing } = loaded;
    for (const [hash, bytes] of await verifiedBlocks(to.blocks, loaded)) known.set(hash, bytes);
    fetched += missing.length;
    for (const { hash, position } of batch) {
      const bytes = known.get(hash);
      if (bytes?.length !== blockLength(manifest, position)) throw damaged(hash);
      await target.write(bytes, 0, bytes.length, position * manifest.block_bytes);
    }
    done += batch.length;
    to.progress?.report({ done, total: wanted.length, label: "blocks" });
  }
  await target.truncate(manifest.length);
  await target.sync();
  return fetched;
}

const placed = ({ blocks }: Manifest): readonly PlacedBlock[] =>
  blocks.map((hash, position) => ({ hash, position }));

/** What must be written to a copy of a file that is here. */
async function differences(
  manifest: Manifest,
  base: LocalFile,
  { target, verified, signal }: AssembledFile & { readonly target: FileHandle },
): Promise<readonly PlacedBlock[]> {
  const damagedHere = new Set<number>();
  if (base.id !== verified)
    for await (const position of damagedPositions(target, base.manifest, signal)) damagedHere.add(position);
  const { blocks } = base.manifest;
  return placed(manifest).filter(
    ({ hash, position }) => blocks[position] !== hash || damagedHere.has(position),
  );
}

/** Loads the next batch while this one is unpacked and written. */
async function* oneAhead<Batch, Loaded>(batches: Iterable<Batch>, load: (batch: Batch) => Promise<Loaded>) {
  let before: { readonly batch: Batch; readonly loading: Promise<Loaded> } | undefined;
  for (const batch of batches) {
    const next = { batch, loading: load(batch) };
    // It is awaited later, or not at all if this batch fails.
    next.loading.catch(() => {});
    if (before) yield { batch: before.batch, loaded: await before.loading };
    before = next;
  }
  if (before) yield { batch: before.batch, loaded: await before.loading };
}

interface LoadedBlocks {
  readonly missing: readonly string[];
  readonly packed: ReadonlyMap<string, Uint8Array>;
}

/** A block that arrives damaged is fetched again. */
async function verifiedBlocks(
  blocks: Blocks,
  { missing: hashes, packed: first }: LoadedBlocks,
): Promise<Map<string, Uint8Array>> {
  const verified = new Map<string, Uint8Array>();
  let [missing, arrived] = [hashes, first];
  for (let tries = 1; ; tries++) {
    for (const [hash, packed] of arrived) {
      const bytes = unpackBlock(packed, hash);
      if (bytes) verified.set(hash, bytes);
    }
    missing = hashes.filter((hash) => !verified.has(hash));
    const [lacking] = missing;
    if (lacking === undefined) return verified;
    if (tries === TRIES) throw damaged(lacking);
    arrived = await blocks.get(missing);
  }
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
