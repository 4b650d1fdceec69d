import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeRemote } from "../../../../tests/support/git-remote.ts";
import { tempDir } from "../../../../tests/support/temp-dir.ts";
import { updateMirror } from "./mirror.ts";

async function checkOut(url: string, directory: string): Promise<string> {
  const { signal } = new AbortController();
  return (await updateMirror({ url, branch: null }, directory, signal)).checkOut();
}
const PUBLISHED = new Date("2026-01-02T03:04:05Z");

test("a checkout writes the files that differ from the commit, also if all have other times, and no others", async () => {
  using remote = makeRemote("api", { "a.go": "package a\n", "b.go": "package b\n", "c.go": "package c\n" });
  using directory = tempDir();
  const tree = await checkOut(remote.url, directory.path);
  // What a killed worker may leave.
  writeFileSync(join(tree, "c.go"), "package half");
  for (const name of ["a.go", "b.go", "c.go"]) utimesSync(join(tree, name), PUBLISHED, PUBLISHED);
  remote.push({ "a.go": "package a2\n" });
  await checkOut(remote.url, directory.path);
  const files = readdirSync(tree).filter((name) => name !== ".git");
  expect(files.map((name) => [name, readFileSync(join(tree, name), "utf8")])).toEqual([
    ["a.go", "package a2\n"],
    ["b.go", "package b\n"],
    ["c.go", "package c\n"],
  ]);
  const isAsPublished = (name: string) => statSync(join(tree, name)).mtimeMs === PUBLISHED.getTime();
  expect(files.filter(isAsPublished)).toEqual(["b.go"]);
});

test("a checkout writes every file anew if the attributes of files changed", async () => {
  using remote = makeRemote("shop", { ".gitattributes": "*.bat text eol=crlf\n", "a.bat": "exit\n" });
  using directory = tempDir();
  const lines = async () => readFileSync(join(await checkOut(remote.url, directory.path), "a.bat"), "utf8");
  expect(await lines()).toBe("exit\r\n");
  remote.push({ ".gitattributes": "*.bat -text\n" });
  expect(await lines()).toBe("exit\n");
});
