import { expect, test } from "vitest";
import { mergeable } from "./mergeable.ts";

/** Which segments are merged with which, by their place; the oldest first, as a view lists them. */
function chosen(...segments: { live: number; chunks: number }[]): number[][] {
  const numbered = segments.map((segment, number) => ({ ...segment, number }));
  return mergeable(numbered).map((group) => group.map(({ number }) => number));
}
const many = (count: number, live: number) => Array.from({ length: count }, () => ({ live, chunks: live }));

test("eight of about one size are merged, fewer are not", () => {
  expect(chosen(...many(7, 3), ...many(1, 4000))).toEqual([]);
  expect(chosen(...many(1, 4000), ...many(8, 3))).toEqual([[1, 2, 3, 4, 5, 6, 7, 8]]);
});

test("what is mostly dead is merged first", () => {
  expect(chosen(...many(8, 3), { live: 40, chunks: 100 })).toEqual([[8]]);
});

test("small segments are merged beside any number of those that are too large to merge", () => {
  expect(chosen(...many(9, 8000), ...many(8, 1))).toEqual([[9, 10, 11, 12, 13, 14, 15, 16]]);
});
