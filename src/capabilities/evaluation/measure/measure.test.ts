import { expect, test } from "vitest";
import { taskOf } from "../mine/task-text.ts";
import { bootstrapDifference, bootstrapMean, bootstrapRatio } from "./bootstrap.ts";
import { ndcg, pricePieces, reciprocalRank, scoreOf, type TaskTruth, withinBudget } from "./recall.ts";

const truth: TaskTruth = {
  functions: [
    { path: "a.go", name: "A", start: 10, end: 19, changed: [{ start: 12, end: 13 }] },
    { path: "b.go", name: "B", start: 1, end: 4, changed: [{ start: 2, end: 2 }] },
  ],
  files: ["a.go", "b.go"],
};
const piece = (path: string, start: number, end: number) => ({ text: "x", quotes: [{ path, start, end }] });

test.each([
  ["half of its lines", piece("a.go", 15, 19), 0.5],
  ["the lines to change", piece("a.go", 12, 13), 0.5],
  ["other lines only", piece("a.go", 16, 18), 0],
  ["another file", piece("c.go", 10, 19), 0],
])("a function is found by %s", (_what, given, recall) => {
  expect(scoreOf(truth, [given]).recall).toBe(recall);
});

test("ranks count from the first piece that gives a changed function", () => {
  const pieces = [piece("c.go", 1, 9), piece("b.go", 1, 4), piece("a.go", 10, 19)];
  expect(reciprocalRank(truth, pieces)).toBe(0.5);
  expect(ndcg(truth, pieces)).toBeCloseTo((1 / Math.log2(3) + 1 / 2) / (1 + 1 / Math.log2(3)));
  expect(ndcg(truth, pieces.slice(1))).toBeCloseTo(1);
});

test("pieces are taken from the top, and one that does not fit is skipped", () => {
  const pieces = ["aaaa", "bbbbbbbb", "cc"].map((text) => ({ text, quotes: [] }));
  const { pieces: kept, tokens } = withinBudget(
    pricePieces(pieces, (text) => text.length),
    9,
  );
  expect([kept.map(({ text }) => text), tokens]).toEqual([["aaaa", "cc"], 8]);
});

test("an interval contains its mean, repeats, and shows whether a difference is beyond chance", () => {
  const low = Array.from({ length: 40 }, (_, at) => (at % 4 === 0 ? 1 : 0));
  const high = low.map((value, at) => (at % 2 === 0 ? 1 : value));
  const { mean, low: from, high: to } = bootstrapMean(low);
  expect([mean, from < mean, to > mean]).toEqual([0.25, true, true]);
  expect(bootstrapMean(low)).toEqual(bootstrapMean(low));
  expect(bootstrapDifference(high, low).low).toBeGreaterThan(0);
  expect(bootstrapDifference(low, low)).toEqual({ mean: 0, low: 0, high: 0 });
  expect(bootstrapRatio(high, low).mean).toBe(2);
});

test("a ratio to nothing is no ratio, and samples without one are left out", () => {
  expect(bootstrapRatio([1, 1], [0, 0])).toEqual({ mean: 0, low: 0, high: 0 });
  expect(bootstrapRatio([1, 1], [1, 0])).toMatchObject({ mean: 2, low: 1 });
});

test.each([
  ["trailers", "Fix the lock\n\nSigned-off-by: A <a@b.c>", "Fix the lock"],
  ["numbers of issues and links", "Fix the lock (#12), see https://x.y/z", "Fix the lock , see"],
  ["the changed file", "Fix the lock in src/lock.go", "Fix the lock in"],
  ["an identifier that was changed", "Make `take` and tryLock() wait", "Make and wait"],
  ["a plain word stays, even if it is a name", "Let take wait for it", "Let take wait for it"],
])("a task leaves out %s", (_what, message, task) => {
  expect(taskOf(message, new Set(["take", "tryLock"]), ["src/lock.go"])).toBe(task);
});
