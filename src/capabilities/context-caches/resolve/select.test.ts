import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cachesAt, readTree, writeTree } from "../../../../tests/contracts/context-caches-cases.ts";
import { tempDir } from "../../../../tests/support/temp-dir.ts";
import type { LoadedCache } from "../verify/load-cache.ts";
import { explanationOf } from "./explanation.ts";
import { resolutionOf, resolutionText } from "./resolution.ts";
import { select } from "./select.ts";
import { makeWordIndex } from "./word-index.ts";
import { countWords, termsOf } from "./words.ts";

const word = fc.constantFrom(
  "deploy",
  "Deploy",
  "guide.",
  "ΟΔΟΣ",
  "İstanbul",
  "x",
  "日本",
  "a\u0085b",
  "\uFEFFx",
  "constructor",
);
const space = fc.constantFrom(" ", "\n", "\u00A0", "\u3000", "\t\t");
const text = fc.array(fc.tuple(word, space), { maxLength: 12 }).map((pairs) => pairs.flat().join(""));
const contents = fc.uniqueArray(text, { maxLength: 8 });

/** A cache in memory, its documents named in the order they come. */
function cacheOf(texts: readonly string[], isIndexed = true): LoadedCache {
  const words = makeWordIndex(isIndexed ? undefined : -1);
  for (const content of texts) words.add(content);
  const documents = texts.map((content, place) => ({
    id: `${String(place).padStart(2, "0")}.md`,
    version: `v${place}`,
    content: Buffer.from(content),
    isCurrent: () => true,
  }));
  return { documents, index: words.finish(), bytes: 0, isCurrent: () => true };
}

test("a budget is never exceeded, and each document left out did not fit", () => {
  fc.assert(
    fc.property(contents, text, fc.nat(60), (texts, query, budget) => {
      const { documents, selection } = resolutionOf(select(cacheOf(texts), query, budget));
      const used = documents.reduce((sum, { tokens }) => sum + tokens, 0);
      expect(used).toBe(selection.tokens_used);
      expect(used).toBeLessThanOrEqual(budget);
      const { left_out } = explanationOf(select(cacheOf(texts), query, budget));
      expect(left_out.every(({ tokens, tokens_left }) => budget === 0 || tokens > tokens_left)).toBe(true);
    }),
  );
});

test("the index counts what splitting the texts counts", () => {
  fc.assert(
    fc.property(contents, text, (texts, query) => {
      expect(resolutionOf(select(cacheOf(texts, true), query, 1000))).toEqual(
        resolutionOf(select(cacheOf(texts, false), query, 1000)),
      );
    }),
  );
});

test("the next budget is the first at which the selection changes", () => {
  fc.assert(
    fc.property(contents, text, fc.nat(40), (texts, query, budget) => {
      const cache = cacheOf(texts);
      const chosen = (at: number) => resolutionOf(select(cache, query, at)).documents.map(({ id }) => id);
      const next = explanationOf(select(cache, query, budget)).next_budget;
      if (next === null) {
        expect(chosen(1_000_000)).toEqual(chosen(budget));
        return;
      }
      expect(chosen(next - 1)).toEqual(chosen(budget));
      expect(chosen(next)).not.toEqual(chosen(budget));
    }),
  );
});

test("scores stay within 0 and 1, and fall", () => {
  fc.assert(
    fc.property(contents, text, (texts, query) => {
      const scores = resolutionOf(select(cacheOf(texts), query, 1000)).documents.map(({ score }) => score);
      expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    }),
  );
});

test("the text of an answer reads back as the answer, even if a document looks like one", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (noise) => {
      const answer = resolutionOf(select(cacheOf([`x "score":"0.5" ${noise}`, '{"score": "1"}']), "x", 1000));
      expect(JSON.parse(resolutionText(answer))).toEqual(answer);
      expect(JSON.parse(resolutionText(answer, "pretty"))).toEqual(answer);
    }),
  );
});

test("words are split at Unicode white space and nowhere else", () => {
  const separators = [..."\t\n\v\f\r \u0085\u00A0\u1680\u2000\u200A\u2028\u2029\u202F\u205F\u3000"];
  const letters = [..."\u001C\u180E\u200B\u2060\uFEFF\u0000"];
  expect(separators.map((each) => countWords(`a${each}b`, new Set()).total)).toEqual(separators.map(() => 2));
  expect(letters.map((each) => countWords(`a${each}b`, new Set()).total)).toEqual(letters.map(() => 1));
  expect(termsOf(" One\u3000TWO one ")).toEqual(["one", "two", "one"]);
});

test("an index that outgrows its first tables keeps every word of every document", () => {
  const index = makeWordIndex();
  const words = Array.from({ length: 70_000 }, (_, place) => `w${place}`);
  index.add(words.join(" "));
  for (let place = 1; place < 3000; place += 1) index.add(`w1 ${"w2 ".repeat(place)}`);
  const count = index.finish()?.counter(new Set(["w2", "w69999", "absent"]));
  expect(Array.from({ length: 3000 }, (_, place) => count?.(place).matches)).toEqual(
    Array.from({ length: 3000 }, (_, place) => (place === 0 ? 2 : place)),
  );
});

test("the order in which files were written does not matter, and a rebuild differs only in created_at", async () => {
  using dir = tempDir();
  const names = ["b.md", "a.md", "ü/Z.md", "c d.md"];
  const build = async (order: readonly string[], place: string, now: string) => {
    for (const name of order) writeTree(join(dir.path, place), { [name]: `content of ${name}` });
    const cache = join(dir.path, `${place}.cache`);
    await cachesAt(dir.path, { now: () => new Date(now) })("caches_build", {
      sources: join(dir.path, place),
      cache,
    });
    return readTree(cache);
  };
  const first = await build(names, "one", "2026-01-01T00:00:00Z");
  const second = await build(names.toReversed(), "two", "2027-01-01T00:00:00Z");
  const manifest = second["manifest.json"]?.replace("2027-01-01", "2026-01-01");
  expect({ ...second, "manifest.json": manifest }).toEqual(first);
});

test("a byte flipped in any file gives an invalid cache or the same answer", async () => {
  using dir = tempDir();
  writeTree(join(dir.path, "sources"), { "a.md": "alpha beta", "b.md": "beta gamma" });
  const cache = join(dir.path, ".context-caches", "c");
  const at = cachesAt(dir.path);
  await at("caches_build", { sources: join(dir.path, "sources"), cache });
  const ask = (call: ReturnType<typeof cachesAt>) =>
    call("context.resolve", { cache: "c", query: "beta", budget: 50 });
  const good = await ask(at);
  const files = Object.keys(readTree(cache));
  const flip = fc.tuple(fc.constantFrom(...files), fc.nat(), fc.nat(7));
  await fc.assert(
    fc.asyncProperty(flip, async ([file, place, bit]) => {
      const path = join(cache, file);
      const bytes = readFileSync(path);
      const broken = Buffer.from(bytes);
      const at = place % bytes.length;
      broken[at] = (broken[at] ?? 0) ^ (1 << bit);
      writeFileSync(path, broken);
      const answer = await ask(cachesAt(dir.path));
      writeFileSync(path, bytes);
      expect([good, '{"error":{"code":"cache_invalid","message":"Cache exists but is invalid"}}']).toContain(
        answer,
      );
    }),
    { numRuns: 300 },
  );
});
