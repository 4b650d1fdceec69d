import { expect, test } from "vitest";
import { type MergedHit, mergeHits } from "./merge-hits.ts";

const hit = (project: string, name: string, { rank = 1, score = 1, content = "" } = {}): MergedHit => ({
  project,
  commit: "0".repeat(40),
  rank,
  relevance_score: score,
  symbol: { name, signature: `func ${name}()`, doc_comment: "" },
  file: { path: `${name}.go`, start_line: 1 },
  content,
});
const merged = (query: string, hits: readonly MergedHit[], limit = 10) =>
  mergeHits(query, hits, limit).map(({ project, symbol }) => `${project} ${symbol.name}`);

test("the best hit of a project that lacks the query's words comes after weaker hits that have them", () => {
  const hits = [
    hit("poor", "Unrelated", { content: "nothing of it" }),
    hit("rich", "RetryLoop", { content: "retry when the database is busy" }),
    hit("rich", "Backoff", { rank: 2, score: 0.6, content: "retry, the database is busy" }),
  ];
  expect(merged("retry when the database is busy", hits)).toEqual([
    "rich RetryLoop",
    "rich Backoff",
    "poor Unrelated",
  ]);
});

test("a symbol of exactly the asked name comes first", () => {
  const hits = [hit("a", "ParseFile", { content: "parse parse" }), hit("b", "Parse", { score: 0.5 })];
  expect(merged("Parse", hits)).toEqual(["b Parse", "a ParseFile"]);
});

test("equal hits are in the order of their projects, whichever answered first, and ranks count from one", () => {
  const hits = [hit("b", "Same"), hit("a", "Same"), hit("c", "Same")];
  expect(merged("same", hits, 2)).toEqual(["a Same", "b Same"]);
  expect(merged("same", hits.toReversed(), 2)).toEqual(["a Same", "b Same"]);
  expect(mergeHits("same", hits, 3).map(({ rank }) => rank)).toEqual([1, 2, 3]);
});
