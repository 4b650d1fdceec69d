import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../tests/support/temp-dir.ts";
import { openImportPaths } from "./import-paths.ts";

test("the nearest go.mod above names a package; a go.mod that is a link or not a file is ignored", () => {
  using directory = tempDir();
  const root = directory.path;
  mkdirSync(join(root, "nested/x"), { recursive: true });
  mkdirSync(join(root, "linked"));
  writeFileSync(join(root, "nested/go.mod"), "module example.org/nested\n");
  symlinkSync(join(root, "nested/go.mod"), join(root, "linked/go.mod"));
  execFileSync("mkfifo", [join(root, "go.mod")]);
  expect(openImportPaths(root)("a/b")).toBe("a/b");
  rmSync(join(root, "go.mod"));
  writeFileSync(join(root, "go.mod"), "module example.org/root\n");
  const importPath = openImportPaths(root);
  expect([".", "a/b", "nested", "nested/x", "linked"].map(importPath)).toEqual([
    "example.org/root",
    "example.org/root/a/b",
    "example.org/nested",
    "example.org/nested/x",
    "example.org/root/linked",
  ]);
});
