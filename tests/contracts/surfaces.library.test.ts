import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { libraryTypes } from "../../scripts/library-types.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { DomainError, openContextful } from "../../src/index.ts";
import { tempDir } from "../support/temp-dir.ts";

const open = (root: string) =>
  openContextful({ root, env: { CONTEXTFUL_HOME: join(root, "home") }, logger: silentLogger });

test("the library's types say what the tools are now (npm run docs)", () => {
  expect(readFileSync("src/library/tool-methods.ts", "utf8")).toBe(libraryTypes());
});

test("a method calls its tool, and the project's root is the default path", async () => {
  using dir = tempDir();
  writeFileSync(join(dir.path, "main.go"), "package main\n\nfunc Greet() {}\n");
  const project = open(dir.path);
  await project.indexCodebase();
  const { results } = await project.searchCode({ query: "Greet", search_mode: "keyword" });
  await project.close();
  expect(results.map(({ symbol }) => symbol.name)).toEqual(["Greet"]);
});

test("a failure is a DomainError that names the next tool as data", async () => {
  using dir = tempDir();
  writeFileSync(join(dir.path, "main.go"), "package main\n");
  const project = open(dir.path);
  const thrown = await project.searchCode({ query: "x" }).catch((error: unknown) => error);
  await project.close();
  expect(thrown).toBeInstanceOf(DomainError);
  expect(thrown).toMatchObject({ code: "not_indexed", next: { tool: "index_codebase" } });
});

test("forty calls share one signal, and Node warns of no leak", async () => {
  using dir = tempDir();
  writeFileSync(join(dir.path, "main.go"), "package main\n\nfunc Greet() {}\n");
  execFileSync("git", ["init", "-q"], { cwd: dir.path });
  const project = open(dir.path);
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => warnings.push(name);
  process.on("warning", onWarning);
  const { signal } = new AbortController();
  await project.indexCodebase({}, { signal });
  // Each search runs programs of git, and each of them listens for an abort.
  await Promise.all(
    Array.from({ length: 40 }, (_, at) => project.searchCode({ query: `Greet ${at}` }, { signal })),
  );
  await project.close();
  process.off("warning", onWarning);
  expect(warnings).toEqual([]);
});
