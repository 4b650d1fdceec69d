import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { tempDir } from "../../../tests/support/temp-dir.ts";
import { sha256 } from "../hash.ts";
import { BLOCK_BYTES, manifestId } from "./blocks.ts";
import { followGeneration } from "./follow.ts";
import { openReplica } from "./open-replica.ts";
import { publishFile } from "./publish.ts";
import type { Manifest } from "./replica.ts";

const PROJECT = sha256("project");
const ABOUT = {
  ...{ project: PROJECT, name: "shop", kind: "code-1", commit: "a".repeat(40) },
  published_at: "2026-01-01T00:00:00.000Z",
};

/** A team's directory with one published file of three blocks. */
async function openStore() {
  const directory = tempDir();
  const at = (...parts: string[]) => join(directory.path, ...parts);
  mkdirSync(at("store"));
  const replica = await openReplica(at("store"));
  writeFileSync(at("file"), randomBytes(3 * BLOCK_BYTES - 100));
  const { generation } = await publishFile(at("file"), ABOUT, replica);
  const [first = ""] = (await replica.registry.manifest(generation.manifest))?.blocks ?? [];
  return {
    at,
    replica,
    generation,
    blockFile: at("store", "blocks", first.slice(0, 2), first),
    follow: () => followGeneration(generation, at("followed"), replica),
    /** Publishes a manifest that no program of ours made. */
    followOther(manifest: Manifest) {
      const id = manifestId(manifest);
      writeFileSync(at("store", "manifests", `${id}.json`), JSON.stringify(manifest));
      return followGeneration({ ...generation, manifest: id }, at("followed"), replica);
    },
    hash: first,
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}

const ODD_BLOCKS: { name: string; make: (file: string) => void }[] = [
  { name: "a block of nothing", make: (file) => writeFileSync(file, "") },
  { name: "a block of one byte", make: (file) => writeFileSync(file, Buffer.of(1)) },
  { name: "an unknown packing", make: (file) => writeFileSync(file, Buffer.of(9, 1, 2, 3)) },
  {
    name: "a block that unpacks to 64 megabytes",
    make: (file) => {
      const bomb = deflateRawSync(Buffer.alloc(64 * 1024 ** 2));
      writeFileSync(file, Buffer.concat([Buffer.of(1), bomb]));
    },
  },
  {
    name: "a block of a terabyte",
    make: (file) => {
      writeFileSync(file, "");
      truncateSync(file, 1024 ** 4);
    },
  },
  { name: "a pipe", make: (file) => void execFileSync("mkfifo", [file]) },
  { name: "a link to a device", make: (file) => symlinkSync("/dev/zero", file) },
  { name: "a directory", make: (file) => mkdirSync(file) },
];

test.skipIf(process.platform === "win32").each(ODD_BLOCKS)(
  "$name is a missing or damaged block, and nothing is left behind",
  async ({ make }) => {
    using store = await openStore();
    rmSync(store.blockFile);
    make(store.blockFile);
    await expect(store.follow()).rejects.toMatchObject({ reason: "damaged_block" });
    expect(readdirSync(store.at("followed"))).toEqual([]);
  },
);

const manifestOf = (hash: string, other: Partial<Manifest>): Manifest => ({
  ...{ version: 1, length: BLOCK_BYTES, block_bytes: BLOCK_BYTES, blocks: [hash] },
  ...other,
});
const ODD_MANIFESTS: { name: string; change: Partial<Manifest> }[] = [
  { name: "blocks of eight petabytes", change: { block_bytes: 2 ** 53 - 1, length: 2 ** 53 - 1 } },
  { name: "blocks of four gigabytes", change: { block_bytes: 2 ** 32, length: 2 ** 32 } },
  { name: "a file that is longer than its blocks", change: { length: 10 * BLOCK_BYTES } },
  { name: "a file without blocks", change: { blocks: [] } },
  { name: "an empty file with a block", change: { length: 0 } },
];

test.each(ODD_MANIFESTS)("a manifest with $name is refused", async ({ change }) => {
  using store = await openStore();
  await expect(store.followOther(manifestOf(store.hash, change))).rejects.toMatchObject({
    reason: "damaged_manifest",
  });
});

test("a manifest of another content, or of garbage, is refused", async () => {
  using store = await openStore();
  const file = store.at("store", "manifests", `${store.generation.manifest}.json`);
  for (const text of [JSON.stringify(manifestOf(store.hash, {})), "{", "[]", '{"version":1}']) {
    writeFileSync(file, text);
    await expect(store.follow()).rejects.toMatchObject({ reason: "damaged_manifest" });
  }
});

test("generations with paths for names, with garbage, or that never end do not hide the others", async () => {
  using store = await openStore();
  const directory = store.at("store", "generations", PROJECT);
  const odd = { ...store.generation, manifest: "../../../../etc/passwd" };
  writeFileSync(join(directory, "path.json"), JSON.stringify(odd));
  writeFileSync(join(directory, "garbage.json"), "{");
  writeFileSync(join(directory, "proto.json"), '{"__proto__":{"project":"x"}}');
  writeFileSync(join(directory, "long.json"), `"${"x".repeat(100_000)}"`);
  mkdirSync(join(directory, "directory.json"));
  if (process.platform !== "win32") symlinkSync("/dev/zero", join(directory, "device.json"));
  expect(await store.replica.registry.generations(PROJECT, "code-1")).toEqual([store.generation]);
});

test("a lease without end is over after an hour", async () => {
  using store = await openStore();
  mkdirSync(store.at("store", "leases"));
  const lease = store.at("store", "leases", "collecting.lease");
  writeFileSync(lease, JSON.stringify({ holder: "gone", ttl_ms: 1e300 }));
  const twoHoursAgo = Date.now() / 1_000 - 7_200;
  utimesSync(lease, twoHoursAgo, twoHoursAgo);
  expect(await store.replica.registry.lease("collecting", 1_000)).toBeDefined();
});

test("a store with another program's contextful-team.json is refused", async () => {
  using directory = tempDir();
  writeFileSync(join(directory.path, "contextful-team.json"), "not ours");
  await expect(openReplica(directory.path)).rejects.toMatchObject({ code: "conflict" });
});
