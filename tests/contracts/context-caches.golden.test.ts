import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { scoreOf, scoreText } from "../../src/capabilities/context-caches/resolve/score.ts";
import { tempDir } from "../support/temp-dir.ts";
import { cachesAt, GOLDEN, golden, RESOLVE_CASES, readTree, writeTree } from "./context-caches-cases.ts";

const call = cachesAt(GOLDEN, { cacheRoot: join(GOLDEN, "compat/v0/caches") });

describe("published answers, byte for byte", () => {
  test.each([
    ["minimal", "basic", "minimal_basic"],
    ["minimal", "zero_budget", "minimal_zero_budget"],
    ["realistic", "basic", "realistic_basic"],
    ["realistic", "multi_term", "realistic_multi_term"],
    ["tie_break", "tie_break", "tie_break_ordering"],
    ["tie_break", "no_match", "tie_break_zero_score"],
  ])("%s asked %s answers %s", async (cache, query, expected) => {
    const asked: unknown = JSON.parse(golden(`compat/v0/queries/${query}.json`));
    const input = { cache, ...z.object({ query: z.string(), budget: z.int() }).parse(asked) };
    const text = `${golden(`compat/v0/expected/${expected}.json`)}\n`;
    expect(await call("context.resolve", input)).toBe(text);
    expect(await call("caches resolve", input)).toBe(text);
  });

  test.each(["minimal", "realistic"])("the inspect command counts the documents of %s", async (cache) => {
    expect(JSON.parse(await call("caches inspect", { cache }))).toEqual(
      JSON.parse(golden(`compat/v0/expected/inspect_${cache}.json`)),
    );
  });

  test("a cache of an unknown format is invalid", async () => {
    const input = { cache: "future_version", query: "hello", budget: 10 };
    expect(await call("context.resolve", input)).toBe(
      '{"error":{"code":"cache_invalid","message":"Cache exists but is invalid"}}',
    );
  });

  test.each(["minimal", "realistic", "tie_break"])(
    "the documents of %s build to the published cache, except for created_at",
    async (name) => {
      using dir = tempDir();
      const at = cachesAt(dir.path);
      const cache = join(dir.path, "built");
      await at("caches_build", { sources: join(GOLDEN, "compat/v0/documents", name), cache });
      const withoutTime = (tree: Record<string, string>) => ({
        ...tree,
        "manifest.json": tree["manifest.json"]?.replace(/"created_at": ".*"/, ""),
      });
      expect(withoutTime(readTree(cache))).toEqual(
        withoutTime(readTree(join(GOLDEN, "compat/v0/caches", name))),
      );
      expect(await at("caches_verify", { cache })).toMatch(/^\{"cache_version":"sha256:/);
    },
  );
});

/** Where the first program's formula leaves the range of scores, and where its rule and its sentence about budget 0 differ. */
const SETTLED = new Set(["duplicate_terms", "zero_budget_with_empty_doc"]);

describe("edge cases of resolve", () => {
  test.each(RESOLVE_CASES)("$name: $note", async (each) => {
    using dir = tempDir();
    const at = cachesAt(dir.path);
    const files = Object.fromEntries(each.documents.map(({ id, content }) => [`sources/${id}`, content]));
    writeTree(dir.path, { "sources/.keep": "", ...files });
    const cache = join(dir.path, ".context-caches", "c");
    await at("caches_build", { sources: join(dir.path, "sources"), cache });
    const { cache_version } = z
      .object({ cache_version: z.string() })
      .parse(JSON.parse(await at("context.inspect_cache", { cache: "c" })));
    const text = await at("context.resolve", { cache: "c", query: each.query, budget: each.budget });
    expect(cache_version).toBe(each.cache_version);
    if (each.expected_if_terms_deduplicated !== undefined)
      expect(text.trimEnd()).toBe(each.expected_if_terms_deduplicated.trimEnd());
    if (!SETTLED.has(each.name)) expect(text).toBe(each.expected_stdout);
  });

  test("a budget of 0 selects nothing, not even an empty document", async () => {
    expect(await call("context.resolve", { cache: "realistic", query: "deployment", budget: 0 })).toBe(
      '{"documents":[],"selection":{"query":"deployment","budget":0,"tokens_used":0,"documents_considered":3,' +
        '"documents_selected":0,"documents_excluded_by_budget":3}}\n',
    );
  });
});

test("scores are written as the shortest 32-bit float, with a fraction", () => {
  const rows = z
    .array(z.object({ term_matches: z.int(), total_words: z.int(), score_json: z.string() }))
    .parse(JSON.parse(golden("extra/f32_score_format.json")));
  expect(rows.map((row) => scoreText(scoreOf(row.term_matches, row.total_words)))).toEqual(
    rows.map((row) => row.score_json),
  );
});
