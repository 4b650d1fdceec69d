import fc from "fast-check";
import { expect, test } from "vitest";
import { nonIncreasing, topOf } from "./ranking.ts";

test("the top is what sorting everything would give, ties by id", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.integer({ min: 1, max: 30 }), (values, count) => {
      const idOf = (ordinal: number) => `id ${(ordinal * 7) % 101}`;
      const sorted = values
        .map((score, ordinal) => ({ ordinal, score }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score || (idOf(a.ordinal) < idOf(b.ordinal) ? -1 : 1));
      expect(topOf({ scores: Float64Array.from(values) }, count, idOf)).toEqual(sorted.slice(0, count));
    }),
  );
});

test("scores that are shown never rise, stay within bounds, and are untouched where they already fall", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: -1, max: 2, noNaN: true })), (scores) => {
      const shown = nonIncreasing(scores);
      expect(shown.length).toEqual(scores.length);
      expect(shown.every((score) => score >= 0 && score <= 1)).toEqual(true);
      expect(shown.every((score, at) => at === 0 || score <= (shown[at - 1] ?? 0) + 1e-12)).toEqual(true);
    }),
  );
  expect(nonIncreasing([0.9, 0.5, 0.5, 0.1])).toEqual([0.9, 0.5, 0.5, 0.1]);
});
