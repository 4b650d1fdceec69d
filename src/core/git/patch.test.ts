import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../tests/support/temp-dir.ts";
import { parsePatch } from "./patch.ts";

const NAMES = [
  ...["plain.ts", "with space.ts", " leading.ts", "trailing ", "tab\there.ts", "line\nbreak.ts"],
  ...['"quoted".ts', "back\\slash.ts", "größe.ts", "日本.ts", "b/b/nested.ts", "\x01\x7f.ts", "\\303.ts"],
];

test("every name that git can print is read from a patch", () => {
  using dir = tempDir();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: dir.path, encoding: "utf8" });
  const writeAll = (text: string) => {
    for (const name of NAMES) {
      mkdirSync(dirname(join(dir.path, name)), { recursive: true });
      writeFileSync(join(dir.path, name), text);
    }
  };
  git("init", "-q");
  writeAll("one\n");
  git("add", "-A");
  writeAll("two\n");
  const hunks = [{ oldStart: 1, oldCount: 1, start: 1, count: 1 }];
  const files = parsePatch(git("diff", "-U0", "--no-color"));
  expect(files.map(({ path }) => path).sort()).toEqual(NAMES.toSorted());
  expect(files).toEqual(files.map(({ path }) => ({ oldPath: path, path, hunks })));
  git("reset", "-q");
  git("add", "plain.ts");
  expect(parsePatch(git("diff", "-U0", "--no-color", "--cached"))).toMatchObject([
    { oldPath: undefined, path: "plain.ts" },
  ]);
});
