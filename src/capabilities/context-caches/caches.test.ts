import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { cachesAt, readTree, writeTree } from "../../../tests/contracts/context-caches-cases.ts";
import { testCall, testMachine } from "../../../tests/support/machine.ts";
import { tempDir } from "../../../tests/support/temp-dir.ts";
import { silentProgress } from "../../core/progress.ts";
import { replaceCache } from "./build/replace.ts";
import { findSources } from "./build/sources.ts";
import { replacedPath } from "./cache-path.ts";
import { openContextCaches } from "./index.ts";
import { keepLoadedCaches } from "./resolve/loaded-caches.ts";

const sources = { "a.md": "alpha beta", "b.md": "beta gamma delta", "c.md": "gamma" };

async function withCache(root: string) {
  writeTree(join(root, "sources"), sources);
  const call = cachesAt(root);
  const cache = join(root, ".context-caches", "c");
  const build = () => call("caches_build", { sources: join(root, "sources"), cache, force: true });
  await build();
  return { call, cache, build };
}

test("verify names every fault of a cache", async () => {
  using dir = tempDir();
  const { call, cache } = await withCache(dir.path);
  writeTree(cache, { "documents/left-over.json": "{}", "notes.txt": "", "index.json": "{}" });
  const document = "1a989ea86150.json";
  writeFileSync(join(cache, "documents", document), "{}");
  expect(JSON.parse(await call("caches_verify", { cache }))).toEqual({
    error: {
      code: "cache_invalid",
      message: [
        "Cache exists but is invalid:",
        "index.json does not say what manifest.json says",
        `documents/${document} is not the document listed (a.md)`,
        "documents/left-over.json belongs to no document",
        "notes.txt belongs to no document",
      ].join("\n  "),
    },
  });
});

test.each([
  [
    "a folder of documents that is a link",
    "documents is not a directory",
    (cache: string) => {
      renameSync(join(cache, "documents"), `${cache}-documents`);
      symlinkSync(`${cache}-documents`, join(cache, "documents"));
    },
  ],
  [
    "a document that gives itself another version",
    "documents/1a989ea86150.json is not the document listed (a.md)",
    (cache: string) => edit(join(cache, "documents/1a989ea86150.json"), /sha256:.{8}/, "sha256:00000000"),
  ],
  [
    "metadata that are no whole number",
    "documents/1a989ea86150.json is not the document listed (a.md)",
    (cache: string) => edit(join(cache, "documents/1a989ea86150.json"), "{}", '{"n":1.5}'),
  ],
  ["no manifest", "manifest.json is missing", (cache: string) => rmSync(join(cache, "manifest.json"))],
  [
    "a file name no file can have",
    "xxx is missing (a.md)",
    (cache: string) => edit(join(cache, "manifest.json"), "1a989ea86150.json", "x".repeat(300)),
  ],
] as const)("verify and resolve refuse %s", async (_what, problem, damage) => {
  using dir = tempDir();
  const { call, cache } = await withCache(dir.path);
  damage(cache);
  const said: unknown = JSON.parse(await call("caches_verify", { cache }));
  expect(said).toEqual({ error: { code: "cache_invalid", message: expect.stringContaining(problem) } });
  expect(await call("context.resolve", { cache: "c", query: "", budget: 9 })).toContain("cache_invalid");
  expect(await call("caches inspect", { cache })).not.toMatch(/"code":"internal/);
});

const edit = (file: string, from: string | RegExp, to: string) =>
  writeFileSync(file, readFileSync(file, "utf8").replace(from, to));

test("messages for people name the cache that is missing or invalid", async () => {
  using dir = tempDir();
  const { call, cache } = await withCache(dir.path);
  const ask = { query: "beta", budget: 3 };
  expect(await call("caches resolve", { ...ask, cache })).toBe(
    await call("context.resolve", { ...ask, cache: "c" }),
  );
  expect(await call("caches resolve", { ...ask, cache: "nope" })).toContain(
    'Cache does not exist: nope."},"next":{"tool":"context.list_caches"}',
  );
  writeFileSync(join(cache, "manifest.json"), "");
  expect(await call("caches resolve", { ...ask, cache })).toContain(
    `invalid: ${cache}."},"next":{"tool":"caches_verify"`,
  );
  expect(await call("caches inspect", { cache })).toContain('"code":"cache_invalid"');
});

test("explain shows what was taken, what was left out and the next budget", async () => {
  using dir = tempDir();
  const { tools } = openContextCaches(testMachine(dir.path, { home: join(dir.path, ".contextful-home") }));
  await withCache(dir.path);
  const explain = tools.find(({ name }) => name === "caches_explain");
  const output = await explain?.run({ cache: "c", query: "beta", budget: 5 }, testCall());
  expect(explain?.show(explain.output.parse(output))).toBe(
    [
      "Query: beta",
      "Terms: beta",
      "Taken: 2 of 3 documents, 5 of 5 tokens",
      "  1. a.md  score 0.5 (1 of 2 words)  3 tokens",
      "  3. c.md  score 0.0 (0 of 1 words)  2 tokens",
      "Left out: 1",
      "  2. b.md  score 0.33333334 (1 of 3 words)  4 tokens: needs 4 tokens, 2 were left at its turn",
      "The selection changes at a budget of 7.",
    ].join("\n"),
  );
});

test("a cache that is being replaced is served from the old one, and the next build restores it", async () => {
  using dir = tempDir();
  const { call, cache, build } = await withCache(dir.path);
  const ask = () => call("context.resolve", { cache: "c", query: "beta", budget: 50 });
  const answer = await ask();
  renameSync(cache, replacedPath(cache));
  mkdirSync(`${cache}.tmp.0123456789ab`);
  expect(await ask()).toBe(answer);
  await build();
  expect(readdirSync(join(dir.path, ".context-caches"))).toEqual(["c"]);
  expect(await ask()).toBe(answer);
});

test("builders of one cache take turns", async () => {
  using dir = tempDir();
  const { call, cache, build } = await withCache(dir.path);
  const before = readTree(cache);
  await Promise.all([build(), build(), build()]);
  expect(readTree(cache)).toEqual(before);
  expect(await call("caches_verify", { cache })).toContain('"document_count":3');
});

test("builders with different data directories take turns too, and leave nothing beside the cache", async () => {
  using dir = tempDir();
  const { call, cache } = await withCache(dir.path);
  const input = { sources: join(dir.path, "sources"), cache, force: true };
  const builders = ["one", "two", "three"].map((home) => cachesAt(dir.path, { home: join(dir.path, home) }));
  const answers = await Promise.all(builders.map((builder) => builder("caches_build", input)));
  expect(answers).toEqual(builders.map(() => JSON.stringify({ cache, documents: 3 })));
  expect(await call("caches_verify", { cache })).toContain('"document_count":3');
  expect(readdirSync(join(dir.path, ".context-caches"))).toEqual(["c"]);
});

test("a build that loses a document while it runs leaves the old cache", async () => {
  using dir = tempDir();
  const { cache } = await withCache(dir.path);
  const before = readTree(join(dir.path, ".context-caches"));
  const build = openContextCaches(testMachine(dir.path)).tools.find(({ name }) => name === "caches_build");
  const report = () => {
    const built = readdirSync(dirname(cache)).find((name) => /\.tmp\.[0-9a-f]{12}$/.test(name)) ?? "";
    rmSync(join(dirname(cache), built, "documents", "1a989ea86150.json"));
  };
  const order = { sources: join(dir.path, "sources"), cache, force: true };
  await expect(build?.run(order, testCall({ progress: { ...silentProgress, report } }))).rejects.toThrow(
    "a.md was taken out",
  );
  expect(readTree(join(dir.path, ".context-caches"))).toEqual(before);
});

test("one document is counted in the singular", () => {
  using dir = tempDir();
  const build = openContextCaches(testMachine(dir.path)).tools.find(({ name }) => name === "caches_build");
  expect(build?.show({ cache: "c", documents: 1 })).toBe("Built c: 1 document.");
});

test("a cache among its own sources does not include itself", async () => {
  using dir = tempDir();
  const { call, cache } = await withCache(dir.path);
  const order = { sources: dirname(cache), cache, include: "**,!c.tmp.notes", force: true };
  writeTree(dirname(cache), { "mine.txt": "mine", "c.tmp.notes": "no" });
  expect(await call("caches_build", order)).toBe(JSON.stringify({ cache, documents: 1 }));
});

test("documents of any name are built, verified and found", async () => {
  using dir = tempDir();
  const { call, cache } = await withCache(dir.path);
  writeFileSync(join(dir.path, "sources", "__proto__"), "alpha");
  const order = { sources: join(dir.path, "sources"), cache, include: "**", force: true };
  expect(await call("caches_build", order)).toBe(JSON.stringify({ cache, documents: 4 }));
  expect(await call("caches_verify", { cache })).toContain('"document_count":4');
});

test("a new cache that cannot be renamed leaves the old one", async () => {
  using dir = tempDir();
  const { cache } = await withCache(dir.path);
  const before = readTree(dirname(cache));
  await expect(replaceCache(join(dir.path, "nothing"), cache)).rejects.toThrow("ENOENT");
  expect(readTree(dirname(cache))).toEqual(before);
});

test("the search for sources ends when it is stopped", async () => {
  using dir = tempDir();
  writeTree(dir.path, { "a.md": "a", "below/b.md": "b" });
  const stop = new AbortController();
  const isIncluded = () => {
    stop.abort();
    return true;
  };
  await expect(
    findSources(dir.path, { isIncluded, isSkipped: () => false, signal: stop.signal }),
  ).rejects.toThrow("aborted");
});

test("a build that is aborted leaves the old cache and nothing beside it", async () => {
  using dir = tempDir();
  const { cache } = await withCache(dir.path);
  const build = openContextCaches(
    testMachine(dir.path, { home: join(dir.path, ".contextful-home") }),
  ).tools.find(({ name }) => name === "caches_build");
  const before = readTree(join(dir.path, ".context-caches"));
  const call = testCall({ signal: AbortSignal.abort() });
  await expect(
    build?.run({ sources: join(dir.path, "sources"), cache, force: true }, call),
  ).rejects.toThrow();
  expect(readTree(join(dir.path, ".context-caches"))).toEqual(before);
});

test("a cache is read once while its files stay the same, and the oldest is dropped if memory is full", async () => {
  using dir = tempDir();
  const { cache } = await withCache(dir.path);
  const other = join(dir.path, ".context-caches", "other");
  await cachesAt(dir.path)("caches_build", { sources: join(dir.path, "sources"), cache: other });
  const held = keepLoadedCaches(40);
  const question = { query: "", budget: 100 };
  const ask = async (directory: string) => {
    const { choices } = await held.select(async () => directory, question, new AbortController().signal);
    return choices[0]?.ranked.document;
  };
  const [first, meanwhile] = await Promise.all([ask(cache), ask(cache)]);
  expect(meanwhile).toBe(first);
  expect(await ask(cache)).toBe(first);
  await ask(other);
  expect(await ask(cache)).not.toBe(first);
});
