import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { measuredRun, signalledRun } from "../support/child-usage.ts";
import { builtBinary } from "../support/dist.ts";
import { largeTextProject } from "../support/large-text.ts";

test.skipIf(process.platform !== "linux")("SIGTERM ends a sync of a large text at once", async () => {
  const { dir, options, file } = largeTextProject(6);
  using _dir = dir;
  const args = [await builtBinary(), "documents", "sync", "all"];
  const { code, cpuMsAfter } = await signalledRun(args, { ...options, workedMs: 2_000 });
  expect([code, cpuMsAfter !== undefined && cpuMsAfter < 1_000]).toEqual([130, true]);
  // The lock is free again, and nothing is half done.
  writeFileSync(file, "short\n");
  expect((await measuredRun(args, options)).code).toBe(0);
});
