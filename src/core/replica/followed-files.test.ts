import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../tests/support/temp-dir.ts";
import { sha256 } from "../hash.ts";
import { BLOCK_BYTES } from "./blocks.ts";
import { FollowedFiles } from "./followed-files.ts";
import { openReplica } from "./open-replica.ts";
import { publishFile } from "./publish.ts";

const PROJECT = sha256("project");
const KIND = "code-1";

/** A store, and a directory that follows what is published in it. */
async function openScene() {
  const place = tempDir();
  const [store, file] = [join(place.path, "store"), join(place.path, "file")];
  mkdirSync(store);
  const replica = await openReplica(store);
  let published = 0;
  const restart = () =>
    new FollowedFiles({ replica, kind: KIND, directory: join(place.path, "followed"), maxBytes: 1e9 });
  return {
    restart,
    async publish(bytes: Uint8Array) {
      writeFileSync(file, bytes);
      const at = `2026-01-01T00:00:0${++published}.000Z`;
      const about = { project: PROJECT, name: "shop", kind: KIND, published_at: at };
      return (await publishFile(file, { ...about, commit: sha256(at).slice(0, 40) }, replica)).generation;
    },
    [Symbol.dispose]: () => place[Symbol.dispose](),
  };
}

test("a file that grows, shrinks, moves or begins anew is followed byte for byte from the one before", async () => {
  using scene = await openScene();
  const files = scene.restart();
  const [one, two, three] = [randomBytes(BLOCK_BYTES), randomBytes(BLOCK_BYTES), randomBytes(10)];
  const versions = [
    [one, two, three],
    [one, two, one, three],
    [two, one],
    [three],
    [],
    [one, Buffer.alloc(3 * BLOCK_BYTES), two],
  ].map((parts) => Buffer.concat(parts));
  const fetched: number[] = [];
  for (const bytes of versions) {
    const generation = await scene.publish(bytes);
    fetched.push((await files.follow(generation)).fetched);
    expect(readFileSync(files.fileOf(generation)).equals(bytes)).toBe(true);
  }
  expect(fetched).toEqual([3, 0, 0, 1, 0, 3]);
});

test("what this process has not verified is verified before another file is made from it", async () => {
  using scene = await openScene();
  const bytes = randomBytes(3 * BLOCK_BYTES);
  const first = await scene.publish(bytes);
  const before = scene.restart();
  await before.follow(first);
  const file = before.fileOf(first);
  const damaged = readFileSync(file);
  damaged[5] = (damaged[5] ?? 0) ^ 1;
  writeFileSync(file, damaged);
  bytes.fill(7, BLOCK_BYTES, 2 * BLOCK_BYTES);
  const second = await scene.publish(bytes);
  const files = scene.restart();
  expect((await files.follow(second)).fetched).toBe(2);
  expect(readFileSync(files.fileOf(second)).equals(bytes)).toBe(true);
});
