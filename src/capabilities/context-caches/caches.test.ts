import { mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cachesAt, readTree, writeTree } from "../../../tests/contracts/context-caches-cases.ts";
import { testCall, testMachine } from "../../../tests/support/machine.ts";
import { tempDir } from "../../../tests/support/temp-dir.ts";
import { holdCaches } from "./held-caches.ts";
import { openContextCaches } from "./index.ts";
import { replacedPlace } from "./place.ts";

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

test("people are told which cache is missing or invalid, by path or by name", async () => {
  using dir = tempDir();
  const { call, cache } = await withCache(dir.path);
  const ask = { query: "beta", budget: 3 };
  expect(await call("caches_resolve_command", { ...ask, cache })).toBe(
    await call("context.resolve", { ...ask, cache: "c" }),
  );
  expect(await call("caches_resolve_command", { ...ask, cache: "nope" })).toContain(
    "Cache does not exist: nope. ",
  );
  writeFileSync(join(cache, "manifest.json"), "");
  expect(await call("caches_resolve_command", { ...ask, cache })).toContain(
    `invalid: ${cache}. contextful caches`,
  );
  expect(await call("caches_inspect_command", { cache })).toContain('"code":"cache_invalid"');
});

test("explain tells what was taken, what was left out and the next budget", async () => {
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

test("a cache that is being replaced is served from where the old one waits, and the next build puts it back", async () => {
  using dir = tempDir();
  const { call, cache, build } = await withCache(dir.path);
  const ask = () => call("context.resolve", { cache: "c", query: "beta", budget: 50 });
  const answer = await ask();
  renameSync(cache, replacedPlace(cache));
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

test("a cache is read once while its files stay the same, and the oldest goes when memory is full", async () => {
  using dir = tempDir();
  const { cache } = await withCache(dir.path);
  const other = join(dir.path, ".context-caches", "other");
  await cachesAt(dir.path)("caches_build", { sources: join(dir.path, "sources"), cache: other });
  const held = holdCaches(40);
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
