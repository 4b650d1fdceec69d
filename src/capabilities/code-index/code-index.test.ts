import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openProject, source } from "../../../tests/support/code-project.ts";
import { testCall } from "../../../tests/support/machine.ts";
import { invoke } from "../../core/tool.ts";
import { openCodeIndex } from "./index.ts";
import { currentIndexFile } from "./store/generations.ts";

/** Large enough for several batches. */
const manyFiles = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `p/file${at}.go`,
      `package p\n\n// Find${at} looks.\nfunc Find${at}() {\n${"\tprintln(1, 2, 3)\n".repeat(1200)}}\n`,
    ]),
  );

describe("in a git work tree", () => {
  test("each kind of change is noticed, and unchanged files are skipped", async () => {
    await using project = openProject({
      "a.go": source("Alpha"),
      "b.go": source("Beta"),
      ".gitignore": "built/\n",
    });
    project.write("built/c.go", source("Gamma"));
    project.git("init", "-q");
    project.git("add", "-A");
    const counts = async () => {
      const { statistics } = await project.index();
      return [statistics.files_indexed, statistics.files_skipped, statistics.files_removed];
    };
    expect(await counts()).toEqual([2, 0, 0]);
    expect(await counts()).toEqual([0, 2, 0]);
    project.write("a.go", source("Altered"));
    expect(await counts()).toEqual([1, 1, 0]);
    project.write("new.go", source("New"));
    expect(await counts()).toEqual([1, 2, 0]);
    rmSync(join(project.root, "b.go"));
    expect(await counts()).toEqual([0, 2, 1]);
    expect(await counts()).toEqual([0, 2, 0]);
    const { results } = await project.search("Gamma");
    expect(results).toEqual([]);
  });

  test("a work tree without changes according to git is not listed again", async () => {
    await using project = openProject({ "a.go": source("Alpha") });
    project.git("init", "-q");
    project.git("add", "-A");
    const old = new Date("2026-01-01");
    const { utimesSync } = await import("node:fs");
    utimesSync(join(project.root, "a.go"), old, old);
    project.git("add", "-A");
    await project.index();
    const { openCodeStore, readMetadata } = await import("./store/code-store.ts");
    const { openEmbeddings } = await import("../../core/search/index.ts");
    const embeddings = openEmbeddings(await project.machine.config(), project.machine);
    using code = await openCodeStore(currentIndexFile(project.data) ?? "", embeddings, { readOnly: true });
    expect(readMetadata(code)["tree_state"]).toMatch(/^[0-9a-f]{64}$/);
    expect((await project.index()).statistics).toMatchObject({ files_indexed: 0, files_skipped: 1 });
    expect((await project.index({ include_tests: false })).statistics).toMatchObject({ files_skipped: 1 });
  });
});

test("the next run continues a stopped one, and no search sees a half-built index", async () => {
  await using project = openProject(manyFiles(60));
  const stop = new AbortController();
  const report = ({ done }: { readonly done: number }) => {
    if (done > 0) stop.abort();
  };
  await expect(
    project.index({}, { signal: stop.signal, progress: { report, note: () => {} } }),
  ).rejects.toThrow(/abort/i);
  expect((await project.status()).indexed).toBe(false);
  const { statistics } = await project.index();
  expect(statistics.files_indexed + statistics.files_skipped).toBe(60);
  expect(statistics.files_skipped).toBeGreaterThan(0);
  expect((await project.search("Find59")).results[0]?.symbol.name).toBe("Find59");
});

test("a run that is stopped inside a batch does not start the next file of the batch", async () => {
  await using project = openProject({ "a.go": source("Alpha"), "b.go": source("Beta") });
  const stop = new AbortController();
  const report = () => void setImmediate(() => stop.abort());
  await expect(
    project.index({}, { signal: stop.signal, progress: { report, note: () => {} } }),
  ).rejects.toThrow(/abort/i);
  expect((await project.status()).indexed).toBe(false);
});

test("while a new index is built, searches answer from the last one and say so", async () => {
  await using project = openProject({ ...manyFiles(40), "go.mod": "module m\n" });
  await project.index();
  rmSync(join(project.root, "p/file7.go"));
  const during: Promise<unknown>[] = [];
  const report = () => {
    if (during.length === 0) during.push(project.search("Find7", { limit: 1 }), project.status());
  };
  await project.index({ force_reindex: true }, { progress: { report, note: () => {} } });
  const [found, status] = await Promise.all(during);
  expect(found).toMatchObject({ indexing: true, results: [{ symbol: { name: "Find7" }, fresh: false }] });
  expect(status).toMatchObject({ indexed: true, indexing: { files_total: 40, pid: process.pid } });
  const names = (await project.search("Find7")).results.map(({ symbol }) => symbol.name);
  expect(names).not.toContain("Find7");
});

test("a damaged index counts as not indexed, and the next run rebuilds it", async () => {
  await using project = openProject({ "a.go": source("Alpha") });
  await project.index();
  await project.room.close();
  writeFileSync(currentIndexFile(project.data) ?? "", "not a database, ".repeat(1000));
  const room = openCodeIndex(project.machine);
  const call = (name: string, input: Record<string, unknown>) => {
    const tool = room.tools.find((known) => known.name === name);
    return tool && invoke(tool, { path: project.root, ...input }, testCall());
  };
  await expect(call("search_code", { query: "Alpha" })).rejects.toMatchObject({ reason: "not_indexed" });
  expect(await call("index_codebase", {})).toMatchObject({ statistics: { files_indexed: 1 } });
  expect(await call("search_code", { query: "Alpha" })).toMatchObject({
    results: [{ symbol: { name: "Alpha" } }],
  });
  await room.close();
});

test("secrets in code are not shown, and files that only hold secrets are not read", async () => {
  const key = ["ghp", "x7Kq2mZp9LrT4vWn8YbC3dFg6HjS1aQe5uRo"].join("_");
  await using project = openProject({
    "a.go": `package p\n\n// Token is ${key}.\nconst Token = "${key}"\n`,
    ".env": `TOKEN=${key}\n`,
    "deploy/id_rsa": "private\n",
    "server.pem": "private\n",
  });
  await project.index();
  const { results } = await project.search("Token");
  expect(JSON.stringify(results)).not.toContain(key);
  expect(results[0]?.content).toContain("[redacted:");
  expect((await project.status()).statistics).toMatchObject({ total_files: 1, total_text_files: 0 });
});

test("hostile files and names are indexed, reported or skipped, and links never lead out of the root", async () => {
  await using project = openProject({
    "a.go": source("Alpha"),
    "binary.go": Uint8Array.from([112, 0, 1, 2, 255]),
    "long-line.go": `package p\n\nvar Long = "${"x".repeat(1_000_000)}"\n`,
    "huge.go": `package p\n//${"y".repeat(4_100_000)}\n`,
    "sp ace/-rf 'quote\".go": source("Spaced"),
    "日本/😀.go": source("Wide"),
    "notes.txt": "plain words about zebras\n",
    "latin.go": Buffer.from("package p\n\n// caf\xe9\nfunc Latin() {}\n", "latin1"),
  });
  const outside = join(project.root, "..", "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "secret.go"), source("Outside"));
  symlinkSync(outside, join(project.root, "linked"));
  symlinkSync(join(outside, "secret.go"), join(project.root, "linked.go"));
  const { errors } = await project.index();
  expect(errors.toSorted((a, b) => (a.file < b.file ? -1 : 1))).toEqual([
    { file: "binary.go", error: "the file is binary, not source text" },
    { file: "huge.go", error: "the file is too large to index" },
  ]);
  const first = async (query: string) => (await project.search(query)).results[0]?.file.path;
  expect(await Promise.all(["Spaced", "Wide", "zebras", "Outside", "Latin"].map(first))).toEqual([
    "sp ace/-rf 'quote\".go",
    "日本/😀.go",
    "notes.txt",
    undefined,
    "latin.go",
  ]);
  const { results } = await project.search("Long");
  expect(results[0]?.content.length).toBeLessThan(3_000);
});

test("only the go.mod or package.json at the root names the project", async () => {
  await using nested = openProject({
    "a.go": source("A"),
    "inner/go.mod": "module inner\n",
    "inner/b.go": source("B"),
  });
  await nested.index();
  expect((await nested.status()).project).toMatchObject({ module_name: "", go_version: "" });
  await using node = openProject({
    "package.json": '{"name": "@scope/thing"}',
    "a.ts": "export const a = 1;\n",
  });
  await node.index();
  expect((await node.status()).project?.module_name).toBe("@scope/thing");
});

test("symbols of other languages are found by the contract's kinds", async () => {
  await using project = openProject({
    "store.ts":
      "/** Keeps things. */\nexport class Store {\n  add(item: string) {\n    return item;\n  }\n}\n",
    "shape.py": "class Shape:\n    '''Has an area.'''\n\n    def area(self):\n        return 0\n",
    "lib.rs": "pub trait Speak { fn speak(&self); }\n",
  });
  await project.index();
  const named = async (kind: string, query: string) =>
    (await project.search(query, { filters: { symbol_types: [kind] } })).results.map(
      ({ symbol }) => symbol.name,
    );
  expect(await named("struct", "Store")).toEqual(["Store"]);
  expect(await named("method", "area")).toEqual(["area"]);
  expect(await named("interface", "Speak")).toEqual(["Speak"]);
  expect((await project.search("Store.add")).results[0]?.symbol).toMatchObject({
    name: "add",
    parent: "Store",
  });
});

test("other rooms get symbols, hits and the neighbours of a symbol", async () => {
  await using project = openProject({
    "p/store.go":
      "package p\n\ntype Store struct{}\n\nfunc (s *Store) Get(k string) string { return k }\n\nfunc (s *Store) Put(k string) {}\n",
    "p/api.go":
      'package p\n\ntype Getter interface {\n\tGet(k string) string\n}\n\nfunc Serve(s *Store) { s.Get("a") }\n',
    "p/store_test.go": 'package p\n\nfunc TestStore(t int, s *Store) { s.Get("b") }\n',
  });
  await project.index();
  const symbols = await project.room.symbolsOfFiles(project.root, ["p/none.go", "p/store.go"]);
  const shown = symbols.map((file) => file.symbols.map(({ name, kind, line }) => `${line} ${kind} ${name}`));
  expect(shown).toEqual([[], ["3 struct Store", "5 method Get", "7 method Put"]]);
  expect(symbols.map(({ fresh }) => fresh)).toEqual([false, true]);
  const signal = new AbortController().signal;
  const locations = [{ path: "p/store.go", name: "Get" }];
  const [near] = await project.room.neighbours(project.root, { locations, testDepth: 1 });
  expect({
    callers: near?.callers.map(({ name }) => name).sort(),
    tests: near?.tests.map(({ path, name }) => `${path} ${name}`),
    interfaces: near?.interfaces.map(({ name }) => name),
  }).toEqual({ callers: ["Serve"], tests: ["p/store_test.go TestStore"], interfaces: ["Getter"] });
  const { hits, state } = await project.room.searchCode(project.root, { query: "Serve", limit: 3 }, signal);
  expect({ first: hits[0]?.symbol.name, state }).toEqual({
    first: "Serve",
    state: expect.stringMatching(/@\d+$/),
  });
});

test("a project's data is in our own directory, and the project itself does not change", async () => {
  await using project = openProject({ "a.go": source("Alpha") });
  await project.index();
  await project.index({ force_reindex: true });
  expect(readdirSync(project.root)).toEqual(["a.go"]);
  // SQLite without a write-ahead log keeps an empty journal.
  const names = readdirSync(project.data.directory).filter((name) => !name.endsWith("-journal"));
  expect(names.sort()).toEqual(["code-2.sqlite", "code-2.sqlite-sum", "code-index.lock", "code.json"]);
});
