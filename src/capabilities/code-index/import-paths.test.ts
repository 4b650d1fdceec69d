import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../tests/support/temp-dir.ts";
import { openImportPaths } from "./import-paths.ts";

test("a package is named by the nearest module above it, never by one that a link leads to", async () => {
  using directory = tempDir();
  const root = directory.path;
  mkdirSync(join(root, "nested/x"), { recursive: true });
  mkdirSync(join(root, "linked"));
  writeFileSync(join(root, "nested/go.mod"), "module example.org/nested\n");
  symlinkSync(join(root, "nested/go.mod"), join(root, "linked/go.mod"));
  const importPath = openImportPaths(root, "example.org/root");
  expect(await Promise.all([".", "a/b", "nested", "nested/x", "linked"].map(importPath))).toEqual([
    "example.org/root",
    "example.org/root/a/b",
    "example.org/nested",
    "example.org/nested/x",
    "example.org/root/linked",
  ]);
  expect(await openImportPaths(root, "")("a/b")).toBe("a/b");
});
