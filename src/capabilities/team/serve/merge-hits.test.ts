import { expect, test } from "vitest";
import { type MergedHit, MergedHits } from "./merge-hits.ts";

const hit = (project: string, name: string, { rank = 1, score = 1 } = {}): MergedHit => ({
  project,
  commit: "0".repeat(40),
  rank,
  relevance_score: score,
  symbol: { name },
  file: { path: `${name}.go`, start_line: 1 },
});
const upperBound = { most: 1, total: 1, hasName: false };

function merged(query: string, hits: readonly MergedHit[], { limit = 10, hasName = false } = {}) {
  const merge = new MergedHits(query, limit);
  for (const one of hits) merge.add([one], { ...upperBound, hasName });
  return merge.best().map(({ rank, project, symbol }) => `${rank} ${project} ${symbol.name}`);
}

test("a more relevant hit comes first, whatever its place in its project", () => {
  const hits = [
    hit("a", "First", { score: 0.3 }),
    hit("b", "Second", { rank: 2, score: 0.6 }),
    hit("b", "Best", { score: 0.7 }),
  ];
  expect(merged("retry", hits)).toEqual(["1 b Best", "2 b Second", "3 a First"]);
});

test("a symbol of exactly the asked name comes first, if the index of its project says that it has it", () => {
  const hits = [hit("a", "ParseFile"), hit("b", "Parse", { score: 0.5 })];
  expect(merged("Parse", hits, { hasName: true })).toEqual(["1 b Parse", "2 a ParseFile"]);
  expect(merged("Parse", hits)).toEqual(["1 a ParseFile", "2 b Parse"]);
});

test("equal hits are in the order of their projects, whichever answered first", () => {
  const hits = [hit("b", "Same"), hit("a", "Same"), hit("c", "Same")];
  expect(merged("same", hits, { limit: 2 })).toEqual(["1 a Same", "2 b Same"]);
  expect(merged("same", hits.toReversed(), { limit: 2 })).toEqual(["1 a Same", "2 b Same"]);
});

test("a project is asked only if its best hit could come before the last one", () => {
  const merge = new MergedHits("same", 2);
  const mayTake = (project: string, most: number, hasName = false) =>
    merge.mayTake(project, { most, total: 0, hasName });
  expect(mayTake("z", 0)).toBe(true);
  merge.add([hit("b", "One", { score: 0.5 })], upperBound);
  expect(mayTake("z", 0)).toBe(true);
  merge.add([hit("c", "Two", { score: 0.4 })], upperBound);
  expect([mayTake("z", 0.41), mayTake("z", 0.39), mayTake("z", 0.39, true)]).toEqual([true, false, true]);
  expect([mayTake("a", 0.4), mayTake("z", 0.4)]).toEqual([true, false]);
  merge.add([hit("d", "Three", { score: 0.5, rank: 2 })], upperBound);
  expect([mayTake("a", 0.5), mayTake("z", 0.5)]).toEqual([true, true]);
});
