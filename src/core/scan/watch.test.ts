import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../tests/support/temp-dir.ts";
import { watchProject } from "./watch.ts";

const openHandles = () => readdirSync("/proc/self/fd").length;

describe.each([
  ["by the system", false],
  ["by polling", true],
])("a watched project, %s,", (_how, usePolling) => {
  test("reports changes in new and replaced directories, and ends when its signal aborts", async () => {
    using dir = tempDir();
    writeFileSync(join(dir.path, "a.txt"), "1");
    const stop = new AbortController();
    let changes = 0;
    let heard = () => {};
    const next = () =>
      new Promise<void>((settle) => {
        heard = settle;
      });
    const first = next();
    const watching = watchProject(
      dir.path,
      () => {
        changes++;
        heard();
      },
      stop.signal,
      { quietMs: 20, pollMs: 20, usePolling },
    );
    // The first scan may come after a change: keep changing until one is reported.
    const changing = setInterval(
      () => writeFileSync(join(dir.path, "a.txt"), `${changes}${performance.now()}`),
      20,
    );
    await first;
    clearInterval(changing);
    const second = next();
    mkdirSync(join(dir.path, "new", "deep"), { recursive: true });
    writeFileSync(join(dir.path, "new", "deep", "b.txt"), "1");
    await second;
    const third = next();
    rmSync(join(dir.path, "new"), { recursive: true });
    mkdirSync(join(dir.path, "new", "deep"), { recursive: true });
    writeFileSync(join(dir.path, "new", "deep", "b.txt"), "12");
    await third;
    const fourth = next();
    writeFileSync(join(dir.path, "new", "deep", "b.txt"), "123");
    await fourth;
    stop.abort();
    await watching;
  });
});

test("no watcher is left open", async () => {
  using dir = tempDir();
  for (let index = 0; index < 20; index++) mkdirSync(join(dir.path, `d${index}`));
  const before = openHandles();
  for (let round = 0; round < 5; round++) {
    const stop = new AbortController();
    const watching = watchProject(dir.path, () => {}, stop.signal);
    setImmediate(() => stop.abort());
    await watching;
  }
  expect(openHandles()).toBeLessThanOrEqual(before + 2);
});
