import { expect, test } from "vitest";
import { coherenceBonuses } from "./coherence.ts";
import { madeCandidate } from "./made-candidates.ts";

test("only the best chunk of a file gets the bonus, by the file's share of the largest sum", () => {
  const candidates = ["a.ts", "a.ts", "b.ts"].map((path) => madeCandidate(path));
  const bonuses = coherenceBonuses(candidates, Float64Array.of(1, 3, 2), 0.5);
  expect([...bonuses]).toEqual([
    [1, 0.5],
    [2, 0.25],
  ]);
});

test("scores of nothing give no bonus", () => {
  expect(coherenceBonuses([madeCandidate("a.ts")], Float64Array.of(0), 0.5).size).toEqual(0);
});
