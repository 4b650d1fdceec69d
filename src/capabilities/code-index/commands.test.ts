import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { openProject, source } from "../../../tests/support/code-project.ts";
import { lockProject, openProgressFile } from "./store/run-lock.ts";

test("the commands show paths, signatures and marked lines", async () => {
  await using project = openProject({ "a.go": source("Alpha"), "b_test.go": source("Beta") });
  expect(await project.shown("index", { tests: false })).toMatch(
    /^Successfully indexed 1 files in [\d.]+ seconds\n/,
  );
  expect(await project.shown("search", { query: "Alpha", mode: "keyword" })).toMatch(
    /^a\.go:3 {2}func Alpha\(\) {2}\[function, 1\.00\]\n> \/\/ Alpha does it\.\n> func Alpha\(\) \{\}\n\nFound 1 results in \d+ms$/,
  );
  expect(await project.shown("symbols", { name: "alp" })).toBe("a.go:4  function  func Alpha()");
  expect(await project.shown("files", {})).toBe("a.go  4 lines  go");
  expect(await project.shown("status", {})).toContain("symbols   1");
});

test("people are told what to run next, and that a file is not a directory", async () => {
  await using project = openProject({ "a.go": source("Alpha") });
  const status = await project.command("status", {});
  expect([status.show(), status.next]).toEqual([
    "Project not indexed.",
    { tool: "index_codebase", input: { path: project.root } },
  ]);
  await expect(project.command("symbols", {})).rejects.toMatchObject({
    message: "Project not indexed.",
    next: { tool: "index_codebase" },
  });
  const file = join(project.root, "a.go");
  await expect(project.command("index", { path: file })).rejects.toThrow(/is a file/);
});

test("a project whose first index is being made is not to be indexed again", async () => {
  await using project = openProject({ "a.go": source("Alpha") });
  const lock = await lockProject(project.data);
  using file = openProgressFile(project.data, new Date());
  file.write({ done: 1, total: 3, label: "files" });
  const { next, show } = await project.command("status", {});
  expect([show().split("\n"), next]).toEqual([
    ["Project not indexed.", expect.stringMatching(/^running {3}1 of 3 files/)],
    undefined,
  ]);
  lock.release();
});

describe("a search of a project that is not indexed indexes it first", () => {
  test.each([
    { query: "Alpha", path: undefined },
    { query: "Alpha", path: "." },
    { query: ".", path: "Alpha" },
    { query: "inner", path: "Alpha" },
  ])("search $query $path", async ({ query, path }) => {
    await using project = openProject({ "a.go": source("Alpha"), "inner/b.go": source("Alpha") });
    const { output } = await project.command("search", { query, path });
    expect(output).toMatchObject({ query: "Alpha", results: expect.arrayContaining([expect.anything()]) });
  });

  test("two directories are a query and a path, unless the first looks like a path", async () => {
    await using project = openProject({ "a.go": source("inner"), "inner/b.go": source("Alpha") });
    const asked = async (form: object) => (await project.command("search", { ...form })).output;
    expect(await asked({ query: "inner", path: "." })).toMatchObject({ query: "inner" });
    expect(await asked({ query: ".", path: "inner" })).toMatchObject({ query: "inner" });
  });
});

describe("the first search of a large project", () => {
  const text = "nothing of interest is said here\n".repeat(3_500);
  const FILES = {
    "a.go": source("Alpha"),
    "b.go": source("Beta"),
    ...Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`notes/${at}.txt`, text])),
  };

  test("answers from the files that have the words, and the index is made in the background", async () => {
    await using project = openProject(FILES);
    const { output, next, show } = await project.command("search", { query: "Alpha" });
    expect(output).toMatchObject({
      results: [{ symbol: { name: "Alpha" }, file: { path: "a.go", start_line: 3 } }],
      degraded: "The project is not indexed yet. Only one file with words of the question was searched.",
    });
    expect(next).toEqual({ tool: "index_codebase", input: { path: project.root }, isInBackground: true });
    expect(show()).toMatch(/\nThe project is not indexed yet\./);
    expect(await project.status()).toMatchObject({ indexed: false });
    expect(readdirSync(project.data.directory)).toEqual([]);
  });

  test("waits for the index if it is told to, and then always has it", async () => {
    await using project = openProject(FILES);
    for (const wait of [true, false]) {
      const { output, next } = await project.command("search", { query: "Alpha", wait });
      expect(output).not.toHaveProperty("index_first");
      expect(output).toMatchObject({ results: [{ file: { path: "a.go", start_line: 3 } }] });
      expect(next).toBeUndefined();
    }
    expect(await project.status()).toMatchObject({ indexed: true });
  });
});

describe("a path of a search", () => {
  const FILES = {
    "a.go": source("Alpha"),
    "inner/b.go": source("Alpha"),
    "inner/[id]/c.go": source("Alpha"),
  };
  const found = async (project: ReturnType<typeof openProject>, form: object) => {
    const { output } = await project.command("search", { query: "Alpha", ...form });
    const { results } = z
      .object({ results: z.array(z.object({ file: z.object({ path: z.string() }) })) })
      .parse(output);
    return results.map(({ file }) => file.path).sort();
  };

  test.each([
    [{}, ["a.go", "inner/[id]/c.go", "inner/b.go"]],
    [{ path: "inner" }, ["inner/[id]/c.go", "inner/b.go"]],
    [{ path: "inner/[id]" }, ["inner/[id]/c.go"]],
    [{ path: "inner/b.go" }, ["inner/b.go"]],
    [{ path: "inner", files: "c.*" }, ["inner/[id]/c.go"]],
  ])("is a part of the repository it is in: %j", async (form, expected) => {
    await using project = openProject(FILES);
    execFileSync("git", ["init", "-q"], { cwd: project.root });
    expect(await found(project, form)).toEqual(expected);
    expect((await project.command("status", {})).output).toMatchObject({ indexed: true });
  });

  test("is a project of its own if it is a repository, or if this is none", async () => {
    await using project = openProject(FILES);
    expect(await found(project, { path: "inner" })).toEqual(["[id]/c.go", "b.go"]);
    for (const directory of [".", "inner"])
      execFileSync("git", ["init", "-q"], { cwd: join(project.root, directory) });
    expect(await found(project, { path: "inner" })).toEqual(["[id]/c.go", "b.go"]);
  });
});

test("a long list says that there is more, and an empty path is refused", async () => {
  const broken = Array.from({ length: 12 }, (_, at) => [`bad${at}.go`, "package p\n\nfunc {\n"]);
  await using project = openProject({
    "a.go": source("Alpha"),
    "b.go": source("Beta"),
    ...Object.fromEntries(broken),
  });
  expect(await project.shown("index", {})).toMatch(
    /12 with problems:\n(?: {2}bad\d+\.go: .+\n){10} {2}2 more; --json has all$/,
  );
  const [first, last] = (await project.shown("symbols", { limit: 1 })).split("\n");
  expect([first, last]).toEqual([
    expect.stringContaining("a.go:4"),
    expect.stringContaining("raise --limit"),
  ]);
  await expect(project.command("index", { path: "" })).rejects.toThrow(/must not be empty/);
});

test("a snippet shows the first lines and the lines that match the query", async () => {
  const body = Array.from({ length: 30 }, (_, at) => (at === 24 ? "\tzebra(1)" : `\tstep(${at})`));
  await using project = openProject({
    "a.go": ["package p", "", "func Long() {", ...body, "}", ""].join("\n"),
  });
  await project.index();
  const shown = await project.shown("search", { query: "zebra", mode: "keyword" });
  expect(shown.split("\n").slice(1, -2)).toEqual([
    "  func Long() {",
    "  \tstep(0)",
    "  …",
    ...[20, 21, 22, 23].map((at) => `  \tstep(${at - 1})`),
    "  \tstep(23)",
    "> \tzebra(1)",
    ...[25, 26, 27, 28].map((at) => `  \tstep(${at})`),
    "  … 20 more lines",
  ]);
});

test.each([
  { query: "does it.", mode: "literal", found: ["a.go:3  // Alpha does it.", "b.go:3  // Beta does it."] },
  { query: "func B[a-z]+", mode: "regex", found: ["b.go:4  func Beta() {}"] },
])("--mode $mode finds the lines with $query", async ({ query, mode, found }) => {
  await using project = openProject({ "a.go": source("Alpha"), "b.go": source("Beta") });
  const shown = await project.shown("search", { query, mode });
  expect(shown.split("\n\n").slice(0, -1)).toEqual(found);
});

describe("code symbols", () => {
  test("finds names in any script and case", async () => {
    await using project = openProject({ "a.py": "def Ärger():\n    pass\n\n\ndef Plain():\n    pass\n" });
    await project.index();
    expect(await project.shown("symbols", { name: "är" })).toBe("a.py:1  function  def Ärger()");
    expect(await project.shown("symbols", { name: "PLA" })).toBe("a.py:5  function  def Plain()");
  });

  test("lists a class and its constructor even if they share a line", async () => {
    await using project = openProject({ "A.java": "class Box { Box() { } }\n" });
    await project.index();
    const kinds = (await project.shown("symbols", { name: "Box" }))
      .split("\n")
      .map((line) => line.split("  ")[1]);
    expect(kinds.sort()).toEqual(["class", "method"]);
  });

  test("shows no secret", async () => {
    const token = ["ghp", "x7Kq2mZp9LrT4vWn8YbC3dFg6HjS1aQe5uRo"].join("_");
    await using project = openProject({ "a.go": `package p\n\nconst Token = "${token}"\n` });
    await project.index();
    expect(await project.shown("symbols", {})).toBe(
      'a.go:3  const  const Token = "[redacted: github personal token]"',
    );
  });
});

test("every kind that results show can be used as a filter", async () => {
  await using project = openProject({ "a.ts": "export class Thing {}\nexport const thing = new Thing();\n" });
  await project.index();
  const { output } = await project.command("search", { query: "thing", kind: ["class"] });
  expect(output).toMatchObject({ results: [{ symbol: { name: "Thing", kind: "class" } }] });
});
