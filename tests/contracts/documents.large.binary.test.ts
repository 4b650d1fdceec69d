import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { measuredRun, signalledRun } from "../support/child-usage.ts";
import { builtBinary } from "../support/dist.ts";
import { tempDir } from "../support/temp-dir.ts";

/** One line of different words: the worst text for an index. */
function wordsOf(megabytes: number): string {
  const words = Array.from(
    { length: (megabytes * 1_000_000) / 9 },
    (_, n) => `b${String(n).padStart(7, "0")}`,
  );
  return `var a=${words.join("+")}\n`;
}

async function largeFile(megabytes: number) {
  const dir = tempDir();
  const files = join(dir.path, "project", "files");
  mkdirSync(files, { recursive: true });
  const settings = '[connectors.filesystem.d]\nroot = "files"\ninclude = ["**/*"]\n';
  writeFileSync(join(dir.path, "project", "contextful.toml"), settings);
  writeFileSync(join(files, "large.txt"), wordsOf(megabytes));
  const env = { PATH: process.env["PATH"], HOME: dir.path, CONTEXTFUL_HOME: join(dir.path, "home") };
  const options = { cwd: join(dir.path, "project"), env };
  return { dir, options, binary: await builtBinary() };
}

async function syncOf(megabytes: number) {
  const { dir, options, binary } = await largeFile(megabytes);
  using _dir = dir;
  const { code, cpuMs, peakMb, stdout } = await measuredRun(
    [binary, "documents", "sync", "all", "--json"],
    options,
  );
  const found = await measuredRun([binary, "documents", "search", "b0000007"], options);
  return { megabytes, code, cpuMs, peakMb, isFound: found.stdout.includes("large.txt"), stdout };
}

test("a large text takes time in proportion to its size, and never gigabytes", async () => {
  const rows = [];
  for (const megabytes of [1, 4, 16]) rows.push(await syncOf(megabytes));
  const [small, middle, large] = rows;
  if (!small || !middle || !large) throw new Error("three sizes");
  expect(rows.map(({ code, isFound }) => [code, isFound])).toEqual([
    [0, true],
    [0, true],
    [0, true],
  ]);
  expect(middle.cpuMs / small.cpuMs).toBeLessThan(6);
  expect(large.cpuMs / middle.cpuMs).toBeLessThan(6);
  expect(Math.max(...rows.map(({ peakMb }) => peakMb))).toBeLessThan(1_024);
  expect(large.stdout).toContain("only its first 4000000 characters are searched");
});

test.skipIf(process.platform !== "linux")("SIGTERM ends a sync of a large text at once", async () => {
  const { dir, options, binary } = await largeFile(16);
  using _dir = dir;
  const args = [binary, "documents", "sync", "all"];
  const { code, cpuMsAfter } = await signalledRun(args, { ...options, workedMs: 2_500 });
  expect([code, cpuMsAfter < 1_000]).toEqual([130, true]);
  // The lock is free again, and nothing is half done.
  expect((await measuredRun(args, options)).code).toBe(0);
});
