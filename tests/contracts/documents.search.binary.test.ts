import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { builtBinary } from "../support/dist.ts";
import { tempDir } from "../support/temp-dir.ts";

const PAGES = {
  "rollback.md": `# Rolling back

If a release is broken, roll back to the previous version: \`deploy rollback --to PREVIOUS\`.
The database keeps its schema; revert migrations by hand.
`,
  "underscore.md": `# Underscore.js

Underscore.js is a library of helpers for JavaScript. We do not use it in new code.
The do's and don'ts: undo nothing, chain little. Each release of Underscore is small.
`,
  "postgres.md": `# Use PostgreSQL

We store all orders in PostgreSQL 16. Transactions and JSON columns decided it.
`,
  "tools.md": `# Which tools we use

We use pnpm, vitest and biome. Which editor you use is up to you. We do code review in pull requests.
`,
  "deploy.md": `# Deploying

A release is deployed by pushing a tag. The pipeline prints "image is not signed" if the key is missing.
`,
};
const Found = z.object({ results: z.array(z.object({ source_id: z.string(), snippet: z.string() })) });

const directory = tempDir();
const root = join(directory.path, "project");
const env = { ...process.env, CONTEXTFUL_HOME: join(directory.path, "home") };
let binary = "";

beforeAll(async () => {
  binary = await builtBinary();
  mkdirSync(join(root, "docs"), { recursive: true });
  for (const [name, text] of Object.entries(PAGES)) writeFileSync(join(root, "docs", name), text);
  run("documents", "sync", "all");
});
afterAll(() => directory[Symbol.dispose]());

const run = (...args: string[]) =>
  execFileSync(process.execPath, [binary, ...args], { cwd: root, encoding: "utf8", env });
const search = (query: string, mode = "hybrid") =>
  Found.parse(JSON.parse(run("documents", "search", query, "--mode", mode, "--json"))).results;

test.each([
  ["which database do we use", "docs/postgres.md"],
  ["how do I undo a release", "docs/rollback.md"],
  ['where does "image is not signed" come from', "docs/deploy.md"],
])("%s is answered by %s", (query, page) => {
  expect(search(query)[0]?.source_id).toEqual(page);
});

test("words alone find a page that puts it differently", () => {
  const pages = search("how do I undo a release", "keyword").map(({ source_id: page }) => page);
  expect(pages).toContain("docs/rollback.md");
});

test("only whole words that say something are marked", () => {
  const marked = search("how do I undo a release").flatMap(({ snippet }) =>
    [...snippet.matchAll(/>>>(.*?)<<</g)].map(([, word]) => word),
  );
  expect([...new Set(marked)].sort()).toEqual(["release", "undo"]);
});

test("a question about nothing here finds nothing", () => {
  expect(search("flurbozangle wibbledok")).toEqual([]);
});
