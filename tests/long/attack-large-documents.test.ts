import { expect, test } from "vitest";
import { measuredRun } from "../support/child-usage.ts";
import { builtBinary } from "../support/dist.ts";
import { largeTextProject } from "../support/large-text.ts";

async function syncOf(megabytes: number) {
  const { dir, options } = largeTextProject(megabytes);
  const binary = await builtBinary();
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
