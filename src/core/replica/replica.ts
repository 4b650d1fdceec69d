import { z } from "zod";

/**
 * Where a team keeps its indexes, for those who publish and follow. A generation is a file that no longer changes, cut into
 * blocks. Blocks are named by the sha256 of their content, so generations share those that are equal.
 */
export interface Replica extends AsyncDisposable {
  readonly blocks: Blocks;
  readonly registry: Registry;
}

/** The same for those who run it: all of it is seen, and what nobody needs is removed. */
export interface TeamStore extends Replica {
  readonly blocks: StoredBlocks;
  readonly registry: StoreRegistry;
}

/** Packed blocks by the hash of their unpacked content. Lists are in one call: a round trip may take long. */
export interface Blocks {
  /** Which of these are stored. Garbage collection keeps them for `graceMs` from now on, even if no manifest names them. */
  has(hashes: readonly string[]): Promise<ReadonlySet<string>>;
  /** Writes over a block that is stored already: it may be damaged. */
  put(packed: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** Blocks that are not stored are left out. Nothing is verified here. */
  get(hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
}

export interface StoredBlocks extends Blocks {
  list(): AsyncIterable<string>;
  /** Removes those that nobody put or asked for since `before`; returns how many. */
  remove(hashes: readonly string[], before: Date): Promise<number>;
}

/** No index is larger. A store can fill a disk up to here, and no further. */
const MAX_FILE_BYTES = 16 * 1024 ** 3;
/** Hundreds of blocks are in memory at once. */
export const MAX_BLOCK_BYTES = 64 * 1024;
/** One byte tells how a block is packed. */
export const MAX_PACKED_BYTES = 1 + MAX_BLOCK_BYTES;
/** A block of the largest file takes 67 bytes. */
export const MAX_MANIFEST_BYTES = 32 * 1024 ** 2;
export const MAX_GENERATION_BYTES = 64 * 1024;

/** How to put the blocks of a generation together. */
export const Manifest = z
  .object({
    version: z.literal(1),
    /** Of the whole file. Every block but the last has `block_bytes`. */
    length: z.int().nonnegative().max(MAX_FILE_BYTES),
    block_bytes: z.int().positive().max(MAX_BLOCK_BYTES),
    blocks: z.array(z.string().regex(/^[0-9a-f]{64}$/)),
  })
  .refine(({ length, block_bytes, blocks }) => blocks.length === Math.ceil(length / block_bytes));
export type Manifest = z.infer<typeof Manifest>;

export const Generation = z.object({
  /** The repository: see `repositoryId`. */
  project: z.string().regex(/^[0-9a-f]{64}$/),
  /** What people call it. PostgreSQL tells of a generation in 8,000 bytes, and takes no NUL. */
  name: z
    .string()
    .max(1_000)
    .regex(/^\P{Cc}*$/u),
  /** Which program can read the file: only equal kinds can. */
  kind: z.string().regex(/^[\w.-]{1,100}$/),
  commit: z.string().regex(/^[0-9a-f]{40,64}$/),
  published_at: z.string(),
  /** The sha256 of the manifest's JSON. */
  manifest: z.string().regex(/^[0-9a-f]{64}$/),
});
export type Generation = z.infer<typeof Generation>;

/** What the published files of one commit have in common. */
export type PublishedCommit = Omit<Generation, "kind" | "manifest">;

/** What is published. Another program may publish, collect or end at any moment. */
export interface Registry {
  /**
   * Replaces a generation of the same project, kind and commit. Readers see it whole or not at all. Returns false, and does
   * nothing, if it sees that a block is missing.
   */
  publish(generation: Generation, manifest: Manifest): Promise<boolean>;
  /** Newest first. */
  generations(project: string, kind: string): Promise<readonly Generation[]>;
  manifest(id: string): Promise<Manifest | undefined>;
  /** At most one holder for each name; `undefined` if somebody else has it. A holder that dies loses it after `ttlMs`. */
  lease(name: string, ttlMs: number): Promise<ReplicaLease | undefined>;
  /** A lease that any process has acquired: who knows the holder may renew it. */
  leaseOf(held: LeaseTerms): ReplicaLease;
}

export interface StoreRegistry extends Registry {
  /** The ids of all manifests, also of those that no generation names any more. */
  manifests(): Promise<readonly string[]>;
  /**
   * Of every project and kind the newest `keep` generations stay. A manifest that no generation names goes too, unless it was
   * published after `before` or somebody reads it. Returns how many generations were removed.
   */
  retire(keep: number, before: Date): Promise<number>;
  /** Removes every generation of a project; returns how many. Garbage collection removes what then nothing needs. */
  forget(project: string): Promise<number>;
  /** The names of leases that are held and begin with `prefix`. */
  leases(prefix: string): Promise<readonly string[]>;
}

/** A reader holds a lease with this name and a suffix of its own while it fetches the blocks of a manifest. */
export const readingLease = (manifest: string): string => `reading-${manifest}-`;

export interface LeaseTerms {
  readonly name: string;
  /** Made up for each lease, and known to nobody else. */
  readonly holder: string;
  readonly ttlMs: number;
}
export interface ReplicaLease {
  readonly holder: string;
  /** False if it was lost, for example because this process slept. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}
