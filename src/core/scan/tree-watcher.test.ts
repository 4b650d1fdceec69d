import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../tests/support/temp-dir.ts";
import { TreeWatcher } from "./tree-watcher.ts";

const SIGNAL = new AbortController().signal;

/** A watched directory; `changesBy` counts the reports of a change that are there when the event loop has turned. */
async function watched(root: string, gitDirectory?: string) {
  let reports = 0;
  const watcher = new TreeWatcher({ root, gitDirectory, onChange: () => reports++ });
  await watcher.watchNewDirectories(SIGNAL);
  return {
    watcher,
    async isReported(change: () => void): Promise<boolean> {
      await nextTurn();
      await nextTurn();
      const before = reports;
      change();
      await nextTurn();
      await nextTurn();
      const isReported = reports > before;
      await watcher.watchNewDirectories(SIGNAL);
      return isReported;
    },
    [Symbol.dispose]: () => watcher.close(),
  };
}

describe.runIf(process.platform === "linux")("on Linux", () => {
  test("each kind of change is reported when the event loop has turned twice", async () => {
    using dir = tempDir();
    const at = (...names: string[]) => join(dir.path, ...names);
    mkdirSync(at("a", "b"), { recursive: true });
    using tree = await watched(dir.path);
    const changes: [string, () => void][] = [
      ["a new file", () => writeFileSync(at("a", "b", "one.txt"), "1")],
      ["an edit", () => writeFileSync(at("a", "b", "one.txt"), "2")],
      ["a rename", () => renameSync(at("a", "b", "one.txt"), at("two.txt"))],
      ["new directories", () => mkdirSync(at("new", "deep"), { recursive: true })],
      ["a file in a new directory", () => writeFileSync(at("new", "deep", "three.txt"), "3")],
      ["a moved directory", () => renameSync(at("new"), at("a", "moved"))],
      ["a file in a moved directory", () => writeFileSync(at("a", "moved", "deep", "four.txt"), "4")],
      ["a removed directory", () => rmSync(at("a", "moved"), { recursive: true })],
      ["the same directory again", () => mkdirSync(at("a", "moved", "deep"), { recursive: true })],
      ["a file in it", () => writeFileSync(at("a", "moved", "deep", "five.txt"), "5")],
    ];
    const unreported: string[] = [];
    for (const [name, change] of changes) if (!(await tree.isReported(change))) unreported.push(name);
    expect(unreported).toEqual([]);
    expect(tree.watcher.isReliable).toBe(true);
  });

  test("ignored directories are not watched, tracked files in them are, and so is git's index", async () => {
    using dir = tempDir();
    const at = (...names: string[]) => join(dir.path, ...names);
    const git = (...args: string[]) => execFileSync("git", args, { cwd: dir.path });
    for (const name of ["built", "kept"]) mkdirSync(at(name));
    writeFileSync(at(".gitignore"), "built/\nkept/\n");
    writeFileSync(at("kept", "a.txt"), "1");
    git("init", "-q");
    git("add", "-f", "kept/a.txt");
    using tree = await watched(dir.path, at(".git"));
    expect(await tree.isReported(() => writeFileSync(at("built", "b.txt"), "1"))).toBe(false);
    expect(await tree.isReported(() => writeFileSync(at("kept", "a.txt"), "2"))).toBe(true);
    expect(await tree.isReported(() => git("add", "-f", "built/b.txt"))).toBe(true);
    expect(await tree.isReported(() => writeFileSync(at(".gitignore"), ""))).toBe(true);
    expect(await tree.isReported(() => writeFileSync(at("built", "b.txt"), "2"))).toBe(true);
  });

  test("a root that is gone cannot be relied on, and a closed watcher keeps nothing open", async () => {
    using dir = tempDir();
    const openFiles = () => readdirSync("/proc/self/fd").length;
    const before = openFiles();
    const root = join(dir.path, "root");
    mkdirSync(join(root, "a"), { recursive: true });
    const tree = await watched(root);
    await tree.isReported(() => rmSync(root, { recursive: true }));
    expect(tree.watcher.isReliable).toBe(false);
    tree.watcher.close();
    expect(openFiles()).toBeLessThanOrEqual(before + 2);
  });
});
