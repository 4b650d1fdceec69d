import fc from "fast-check";
import { expect, test } from "vitest";
import { nonIncreasing, topOf } from "./ranking.ts";

test("the top is what sorting everything would give, ties by id", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.integer({ min: 0, max: 30 }), (values, count) => {
      const idOf = (ordinal: number) => `id ${(ordinal * 7) % 101}`;
      const sorted = values
        .map((score, ordinal) => ({ ordinal, score }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score || (idOf(a.ordinal) < idOf(b.ordinal) ? -1 : 1));
      expect(topOf({ scores: Float64Array.from(values) }, count, idOf)).toEqual(sorted.slice(0, count));
    }),
  );
});

test("more than there are, however many, is all of them", () => {
  const top = topOf({ scores: Float64Array.of(1, 2) }, Number.MAX_SAFE_INTEGER, String);
  expect(top.map(({ ordinal }) => ordinal)).toEqual([1, 0]);
});

test("where everything is equal, each id is asked for once", () => {
  const asked: number[] = [];
  const idOf = (ordinal: number) => `${999 - asked.push(ordinal)}`.padStart(3, "0");
  const top = topOf({ scores: new Float64Array(500).fill(0.5) }, 2, idOf);
  expect(top).toEqual([499, 498].map((ordinal) => ({ ordinal, score: 0.5 })));
  expect(asked.length).toBe(500);
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
