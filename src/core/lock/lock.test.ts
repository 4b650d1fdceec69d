import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../tests/support/temp-dir.ts";
import { acquireLock, lockHolder } from "./lock.ts";

test("a lock excludes a second holder in the same process, and the message names the first", async () => {
  using dir = tempDir();
  const options = { directory: join(dir.path, "locks"), name: "index", purpose: "indexing" };
  const first = await acquireLock(options);
  const { since = "" } = lockHolder(options) ?? {};
  expect(since).toBe(new Date(since).toISOString());
  await expect(acquireLock(options)).rejects.toMatchObject({
    code: "busy",
    message: `index is held by process ${process.pid} (indexing) since ${since.slice(11, 19)} UTC. Try again when it is done.`,
    details: { holder: { pid: process.pid, purpose: "indexing", since } },
  });
  first.release();
  first.release();
  using _second = await acquireLock(options);
  expect(lockHolder(options)).toMatchObject({ pid: process.pid });
});

test("waiters get the lock one after the other as it is released", async () => {
  using dir = tempDir();
  const options = { directory: dir.path, name: "index", purpose: "waiting", waitMs: 30_000 };
  let holders = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      using _lock = await acquireLock(options);
      holders++;
      most = Math.max(most, holders);
      await new Promise(setImmediate);
      holders--;
    }),
  );
  expect(most).toBe(1);
});

test("waiting ends when its signal aborts", async () => {
  using dir = tempDir();
  const options = { directory: dir.path, name: "index", purpose: "waiting", waitMs: 60_000 };
  using _held = await acquireLock(options);
  const stop = new AbortController();
  const waiting = acquireLock({ ...options, signal: stop.signal });
  stop.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
  await expect(acquireLock({ ...options, signal: stop.signal })).rejects.toThrow("stopped");
});

test.each([
  ["its directory is a file", "file", "index"],
  ["its file is a directory", ".", "taken"],
])("if %s, the message says what to do", async (_case, directory, name) => {
  using dir = tempDir();
  writeFileSync(join(dir.path, "file"), "");
  mkdirSync(join(dir.path, "taken.lock"));
  await expect(
    acquireLock({ directory: join(dir.path, directory), name, purpose: "indexing" }),
  ).rejects.toMatchObject({ code: "unavailable", reason: "store_readonly" });
});

test("a lock is released even if its holder's file cannot be removed", async () => {
  using dir = tempDir();
  mkdirSync(join(dir.path, "index.holder.json"));
  const options = { directory: dir.path, name: "index", purpose: "indexing" };
  (await acquireLock(options)).release();
  (await acquireLock(options)).release();
});

test("locks with different names do not block each other, and only the user can read their files", async () => {
  using dir = tempDir();
  const before = process.umask(0);
  try {
    using _one = await acquireLock({ directory: dir.path, name: "one", purpose: "a" });
    using _two = await acquireLock({ directory: dir.path, name: "two", purpose: "b" });
    const modes = readdirSync(dir.path).map((name) =>
      (statSync(join(dir.path, name)).mode & 0o777).toString(8),
    );
    expect(new Set(modes)).toEqual(new Set(["600"]));
  } finally {
    process.umask(before);
  }
});
