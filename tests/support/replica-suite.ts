import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sha256 } from "../../src/core/hash.ts";
import { BLOCK_BYTES, packBlock, unpackBlock } from "../../src/core/replica/blocks.ts";
import { collectGarbage } from "../../src/core/replica/collect.ts";
import { followGeneration } from "../../src/core/replica/follow.ts";
import { publishFile } from "../../src/core/replica/publish.ts";
import type { Generation, Replica, TeamStore } from "../../src/core/replica/replica.ts";
import { tempDir } from "./temp-dir.ts";

export interface ReplicaUnderTest extends AsyncDisposable {
  /** Another connection to the same store. */
  open(): Promise<Replica>;
  /** The same for those who run it. */
  openStore(): Promise<TeamStore>;
  /** Changes one byte of a stored block. */
  damage(hash: string): Promise<void>;
}

const PROJECT = sha256("project");
const now = () => new Date();
/** Nothing that was put or asked for before this call is kept because of its age. */
const later = () => new Date(Date.now() + 60_000);
const COLLECT = { keep: 1, graceMs: 0, now: later };

const about = (commit: string, at: string, project = PROJECT): Omit<Generation, "manifest"> => ({
  project,
  name: "shop",
  kind: "code-1",
  commit: sha256(commit).slice(0, 40),
  published_at: `2026-01-0${at}T00:00:00.000Z`,
});

/** What every adapter promises. */
export function replicaSuite(name: string, prepare: () => Promise<ReplicaUnderTest>): void {
  describe(name, () => {
    test("a published file is followed byte for byte, and blocks that are there are not stored twice", async () => {
      await using scene = await openScene(prepare);
      const { replica, file, bytes } = scene;
      const first = await publishFile(file, about("a", "1"), replica);
      expect(first).toMatchObject({ blocks: 4, newBlocks: 4 });
      bytes.fill(7, BLOCK_BYTES, BLOCK_BYTES + 10);
      writeFileSync(file, bytes);
      const second = await publishFile(file, about("b", "2"), replica);
      expect(second).toMatchObject({ blocks: 4, newBlocks: 1 });
      const one = await followGeneration(first.generation, scene.path("followed"), replica);
      const two = await followGeneration(second.generation, scene.path("followed"), replica);
      expect([one.fetched, two.fetched]).toEqual([4, 1]);
      expect(readFileSync(two.file).equals(bytes)).toBe(true);
      expect(existsSync(one.file)).toBe(false);
    });

    test("generations are listed newest first, and a commit that is published again replaces itself", async () => {
      await using scene = await openScene(prepare);
      const { replica, file } = scene;
      for (const [commit, at] of [
        ["a", "1"],
        ["b", "2"],
        ["a", "3"],
      ] as const)
        await publishFile(file, about(commit, at), replica);
      const listed = await (await scene.open()).registry.generations(PROJECT, "code-1");
      expect(listed.map(({ commit, published_at }) => [commit, published_at.slice(0, 10)])).toEqual([
        [sha256("a").slice(0, 40), "2026-01-03"],
        [sha256("b").slice(0, 40), "2026-01-02"],
      ]);
      expect(await replica.registry.generations(PROJECT, "code-2")).toEqual([]);
    });

    test("a flipped byte in the local copy is found, and that block alone is fetched again", async () => {
      await using scene = await openScene(prepare);
      const { generation } = await publishFile(scene.file, about("a", "1"), scene.replica);
      const { file } = await followGeneration(generation, scene.path("followed"), scene.replica);
      const damaged = readFileSync(file);
      damaged[2 * BLOCK_BYTES + 5] = (damaged[2 * BLOCK_BYTES + 5] ?? 0) ^ 1;
      writeFileSync(file, damaged);
      const again = await followGeneration(generation, scene.path("followed"), scene.replica);
      expect(again.fetched).toBe(1);
      expect(readFileSync(again.file).equals(scene.bytes)).toBe(true);
    });

    test("a flipped byte in the store never reaches a file; publishing with repair stores the block again", async () => {
      await using scene = await openScene(prepare);
      const { replica, store } = scene;
      const { generation } = await publishFile(scene.file, about("a", "1"), replica);
      const manifest = await replica.registry.manifest(generation.manifest);
      for (const hash of manifest?.blocks ?? []) {
        await store.damage(hash);
        await expect(followGeneration(generation, scene.path("followed"), replica)).rejects.toMatchObject({
          reason: "damaged_block",
        });
        const repaired = await publishFile(scene.file, about("a", "1"), replica, { isRepair: true });
        expect(repaired.newBlocks).toBe(1);
      }
      const { file } = await followGeneration(generation, scene.path("followed"), replica);
      expect(readFileSync(file).equals(scene.bytes)).toBe(true);
    });

    test("garbage collection removes what only old generations need", async () => {
      await using scene = await openScene(prepare);
      const { replica, whole, file, bytes } = scene;
      const old = await publishFile(file, about("a", "1"), replica);
      bytes.fill(7, 0, 10);
      writeFileSync(file, bytes);
      const kept = await publishFile(file, about("b", "2"), replica);
      expect(await collectGarbage(whole, COLLECT)).toEqual({ generations: 1, blocks: 1 });
      expect(await collectGarbage(whole, COLLECT)).toEqual({ generations: 0, blocks: 0 });
      await followGeneration(kept.generation, scene.path("kept"), replica);
      await expect(followGeneration(old.generation, scene.path("old"), replica)).rejects.toMatchObject({
        reason: "retired",
      });
    });

    test("a project that is forgotten leaves nothing behind, and others stay", async () => {
      await using scene = await openScene(prepare);
      const { replica, whole, file } = scene;
      await publishFile(file, about("a", "1"), replica);
      writeFileSync(file, randomBytes(10));
      const other = await publishFile(file, about("a", "1", sha256("other")), replica);
      expect(await whole.registry.forget(PROJECT)).toBe(1);
      expect(await replica.registry.generations(PROJECT, "code-1")).toEqual([]);
      expect(await collectGarbage(whole, COLLECT)).toEqual({ generations: 0, blocks: 4 });
      await followGeneration(other.generation, scene.path("other"), replica);
      expect(await whole.registry.forget(PROJECT)).toBe(0);
    });

    test("garbage collection keeps what a running reader needs", async () => {
      await using scene = await openScene(prepare);
      const { replica, file } = scene;
      const old = await publishFile(file, about("a", "1"), replica);
      writeFileSync(file, randomBytes(10));
      await publishFile(file, about("b", "2"), replica);
      const collecting = scene.whole;
      let collected: unknown;
      const slow: Replica = {
        ...replica,
        blocks: {
          ...replica.blocks,
          async get(hashes) {
            collected ??= await collectGarbage(collecting, COLLECT);
            return replica.blocks.get(hashes);
          },
        },
      };
      const { file: followed } = await followGeneration(old.generation, scene.path("slow"), slow);
      expect(collected).toEqual({ generations: 1, blocks: 0 });
      expect(readFileSync(followed).equals(scene.bytes)).toBe(true);
      expect(await collectGarbage(collecting, COLLECT)).toEqual({ generations: 0, blocks: 4 });
    });

    test("a publication that began before a collection and ends after it is complete", async () => {
      await using scene = await openScene(prepare);
      const { replica, file, bytes } = scene;
      const collecting = scene.whole;
      let collected: unknown;
      const slow: Replica = {
        ...replica,
        registry: {
          ...replica.registry,
          async publish(generation, manifest) {
            collected ??= await collectGarbage(collecting, COLLECT);
            return replica.registry.publish(generation, manifest);
          },
        },
      };
      const { generation } = await publishFile(file, about("a", "1"), slow);
      expect(collected).toEqual({ generations: 0, blocks: 4 });
      const followed = await followGeneration(generation, scene.path("followed"), replica);
      expect(readFileSync(followed.file).equals(bytes)).toBe(true);
    });

    test("blocks of a publication that is under way survive a collection with a grace period", async () => {
      await using scene = await openScene(prepare);
      const content = randomBytes(100);
      const bytes = packBlock(content);
      const hash = sha256(content);
      await scene.replica.blocks.put(new Map([[hash, bytes]]));
      const options = { keep: 1, graceMs: 3_600_000, now };
      expect(await collectGarbage(scene.whole, options)).toEqual({ generations: 0, blocks: 0 });
      expect([...(await scene.replica.blocks.has([hash, sha256("absent")]))]).toEqual([hash]);
      expect([...(await scene.replica.blocks.get([hash, sha256("absent")])).keys()]).toEqual([hash]);
    });

    test("a lease has one holder, and the lease of a holder that died is free after its time", async () => {
      await using scene = await openScene(prepare);
      const [one, two] = [scene.replica.registry, (await scene.open()).registry];
      const { leases } = scene.whole.registry;
      const held = await one.lease("indexing-shop", 60_000);
      expect(await two.lease("indexing-shop", 60_000)).toBeUndefined();
      expect(await leases("indexing-")).toEqual(["indexing-shop"]);
      expect(await held?.renew()).toBe(true);
      await held?.release();
      const expired = await two.lease("indexing-shop", 0);
      expect(expired).toBeDefined();
      await expect.poll(async () => (await leases("indexing-")).length).toBe(0);
      const next = await one.lease("indexing-shop", 60_000);
      expect(next).toBeDefined();
      expect(await expired?.renew()).toBe(false);
      await expired?.release();
      expect(await leases("")).toEqual(["indexing-shop"]);
    });

    test("a lease is renewed and released by whoever knows its holder, through any connection", async () => {
      await using scene = await openScene(prepare);
      const { registry } = await scene.open();
      const terms = { name: "indexing-shop", ttlMs: 60_000 };
      const held = await scene.replica.registry.lease(terms.name, terms.ttlMs);
      const stranger = registry.leaseOf({ ...terms, holder: randomUUID() });
      expect(await stranger.renew()).toBe(false);
      await stranger.release();
      expect(await held?.renew()).toBe(true);
      const same = registry.leaseOf({ ...terms, holder: held?.holder ?? "" });
      expect(await same.renew()).toBe(true);
      await same.release();
      expect(await held?.renew()).toBe(false);
      expect(await scene.whole.registry.leases("")).toEqual([]);
    });

    test("of many that want a lease at once, one gets it", async () => {
      await using scene = await openScene(prepare);
      const replicas = await Promise.all(Array.from({ length: 4 }, () => scene.open()));
      const won = await Promise.all(replicas.map(({ registry }) => registry.lease("one", 60_000)));
      expect(won.filter((lease) => lease !== undefined)).toHaveLength(1);
    });
  });
}

export function blockSuite(): void {
  test("a packed block with any flipped byte is refused", () => {
    for (const bytes of [Buffer.alloc(3_000, "text "), randomBytes(300)]) {
      const packed = packBlock(bytes);
      const hash = sha256(bytes);
      expect(unpackBlock(packed, hash)).toBeDefined();
      for (let at = 0; at < packed.length; at++) {
        const flipped = Uint8Array.from(packed);
        flipped[at] = (flipped[at] ?? 0) ^ 0x10;
        const unpacked = unpackBlock(flipped, hash);
        // A bit that the compression ignores changes nothing.
        if (unpacked !== undefined) expect(sha256(unpacked)).toBe(hash);
      }
    }
  });
}

/** A store, a connection to it, and a file of four blocks to publish. */
async function openScene(prepare: () => Promise<ReplicaUnderTest>) {
  const directory = tempDir();
  const store = await prepare();
  const opened: Replica[] = [];
  const open = async () => {
    const replica = await store.open();
    opened.push(replica);
    return replica;
  };
  const whole = await store.openStore();
  opened.push(whole);
  const bytes = randomBytes(3 * BLOCK_BYTES + 1_000);
  const file = join(directory.path, "index.sqlite");
  writeFileSync(file, bytes);
  return {
    store,
    replica: await open(),
    open,
    whole,
    file,
    bytes,
    path: (name: string) => join(directory.path, name),
    async [Symbol.asyncDispose]() {
      for (const replica of opened) await replica[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      directory[Symbol.dispose]();
    },
  };
}
