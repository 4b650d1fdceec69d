import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../tests/support/temp-dir.ts";
import { readTextInside } from "./read-inside.ts";

test("only regular files inside the root are read, and nothing blocks", async () => {
  using directory = tempDir();
  const root = join(directory.path, "project");
  mkdirSync(join(root, "sub"), { recursive: true });
  writeFileSync(join(directory.path, "secret"), "outside");
  writeFileSync(join(root, "sub/plain"), "inside");
  symlinkSync("..", join(root, "up"));
  symlinkSync("sub", join(root, "within"));
  symlinkSync("../secret", join(root, "link"));
  execFileSync("mkfifo", [join(root, "pipe")]);
  const paths = [
    "sub/plain",
    "within/plain",
    "up/secret",
    "link",
    "../secret",
    "pipe",
    "sub",
    "none",
    "a\0b",
  ];
  const read = await Promise.all(paths.map(async (path) => [path, await readTextInside(root, path)]));
  expect(read.filter(([, text]) => text !== undefined)).toEqual([
    ["sub/plain", "inside"],
    ["within/plain", "inside"],
  ]);
  expect(await readTextInside(root, "sub/plain", 5)).toBeUndefined();
});
