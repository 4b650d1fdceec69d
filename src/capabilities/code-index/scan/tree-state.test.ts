import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../tests/support/temp-dir.ts";
import { readGitState } from "./tree-state.ts";

test.skipIf(process.platform === "win32")("a FIFO in place of git's index is not waited for", async () => {
  using dir = tempDir();
  execFileSync("git", ["init", "-q", dir.path]);
  execFileSync("mkfifo", [join(dir.path, ".git", "index")]);
  expect(await readGitState(dir.path, new AbortController().signal)).toBeUndefined();
});
