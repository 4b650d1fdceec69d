import { expect, test } from "vitest";
import { listScores, sumOf } from "./fused-scores.ts";
import { madeCandidate } from "./made-candidates.ts";
import { RANK_WEIGHTS } from "./weights.ts";

const fusedScores = (...given: Parameters<typeof listScores>) => listScores(...given).map(sumOf);

test("first in both lists without a keyword score is 1, and what no list holds is 0", () => {
  const candidates = [madeCandidate("a.ts", { keywordRank: 1, vectorRank: 1 }), madeCandidate("b.ts")];
  const [both, none] = fusedScores(candidates, 0.4, { ...RANK_WEIGHTS, keywordScore: 0 });
  expect(both).toBeCloseTo(1, 12);
  expect(none).toEqual(0);
});

test("a wide gap in the keyword scores widens the gap of the ranks", () => {
  const candidates = [
    madeCandidate("a.ts", { keywordRank: 1, keywordScore: 10 }),
    madeCandidate("b.ts", { keywordRank: 2, keywordScore: 1 }),
  ];
  const gap = (scores: readonly number[]) => (scores[0] ?? 0) - (scores[1] ?? 0);
  expect(gap(fusedScores(candidates, 0.4, RANK_WEIGHTS))).toBeGreaterThan(
    gap(fusedScores(candidates, 0.4, { ...RANK_WEIGHTS, keywordScore: 0 })),
  );
});

test("of a long function, the best part has the best that any part has in each list", () => {
  const long = { longFunction: "12" };
  const candidates = [
    madeCandidate("a.ts", { ...long, keywordRank: 1 }),
    madeCandidate("a.ts", { ...long, vectorRank: 1 }),
    madeCandidate("b.ts", { ...long, vectorRank: 2 }),
    madeCandidate("a.ts", { vectorRank: 3 }),
  ];
  const lists = listScores(candidates, 0.4, { ...RANK_WEIGHTS, keywordScore: 0 });
  expect(lists[0]).toEqual({ words: 0.6, meaning: 0.4 });
  expect(lists.slice(1).map(({ words }) => words)).toEqual([0, 0, 0]);
  expect(lists[1]?.meaning).toBe(0.4);
});
