import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../tests/support/temp-dir.ts";
import { headStamp } from "./head-stamp.ts";

const identity = ["-c", "user.name=test", "-c", "user.email=test@example.org"];

test("the stamp changes exactly when HEAD moves, for every kind of move, from any subdirectory", () => {
  using directory = tempDir();
  const root = join(directory.path, "project");
  const worktree = join(directory.path, "beside");
  const git = (cwd: string, ...args: string[]) =>
    execFileSync("git", [...identity, ...args], { cwd, stdio: "pipe", encoding: "utf8" });
  const commit = (cwd: string) => git(cwd, "commit", "-q", "--allow-empty", "-m", "more");
  mkdirSync(join(root, "a", "b"), { recursive: true });
  expect(headStamp(root)).toBeUndefined();
  git(root, "init", "-q", "-b", "main");
  const stamps = () => [headStamp(root), headStamp(join(root, "a", "b"))];
  let [last] = stamps();
  const moves: (() => unknown)[] = [
    () => commit(root),
    () => commit(root),
    () => git(root, "reset", "-q", "--hard", "HEAD~1"),
    () => git(root, "checkout", "-q", "-b", "other"),
    () => git(root, "pack-refs", "--all") + commit(root),
    () => git(root, "checkout", "-q", "--detach"),
    () => git(root, "update-ref", "--no-deref", "HEAD", "HEAD~1"),
  ];
  for (const move of moves) {
    move();
    const [here, below] = stamps();
    expect([below, here === last]).toEqual([here, false]);
    writeFileSync(join(root, "file"), String(last));
    git(root, "add", "-A");
    expect(headStamp(root)).toBe(here);
    last = here;
  }
  git(root, "worktree", "add", "-q", "-b", "third", worktree);
  const beside = headStamp(worktree);
  commit(worktree);
  expect(beside).toBeDefined();
  expect(headStamp(worktree)).not.toBe(beside);
  expect(headStamp(root)).toBe(last);
});
