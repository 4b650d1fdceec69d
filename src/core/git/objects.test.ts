import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../tests/support/temp-dir.ts";
import { describeObjects, readObjects } from "./objects.ts";

describe.each(["sha1", "sha256"])("in a repository of %s", (format) => {
  test("objects come in the given order, and a missing object is never confused with another", async () => {
    using dir = tempDir();
    const git = (...args: string[]) => execFileSync("git", args, { cwd: dir.path }).toString().trim();
    git("init", "-q", `--object-format=${format}`);
    mkdirSync(join(dir.path, "a b"));
    writeFileSync(join(dir.path, "a b", "one"), "1\n\0");
    writeFileSync(join(dir.path, "none"), "");
    git("add", ".");
    const [one, none, tree] = [git("rev-parse", ":a b/one"), git("rev-parse", ":none"), git("write-tree")];
    const names = [
      ":gone blob 3",
      none,
      `${tree}:a b/one`,
      `${tree}:is not 4`,
      one,
      "1".repeat(one.length),
      tree,
    ];
    const blob = { id: one, type: "blob", size: 3 };
    const empty = { id: none, type: "blob", size: 0 };
    const top = { id: tree, type: "tree", size: expect.any(Number) };
    expect(await describeObjects(names, { cwd: dir.path })).toEqual([
      ...[undefined, empty, blob, undefined, blob, undefined, top],
    ]);
    const bytes = Buffer.from("1\n\0");
    expect(await readObjects(names, { cwd: dir.path })).toEqual([
      ...[undefined, { ...empty, bytes: Buffer.alloc(0) }, { ...blob, bytes }, undefined, { ...blob, bytes }],
      ...[undefined, { ...top, bytes: expect.any(Buffer) }],
    ]);
  });
});

test("outside a repository there are no objects", async () => {
  using dir = tempDir();
  const git = { cwd: dir.path };
  const names = ["HEAD", "HEAD^{tree}"];
  expect([
    await describeObjects(names, git),
    await readObjects(names, git),
    await readObjects([], git),
  ]).toEqual([[undefined, undefined], [undefined, undefined], []]);
});
