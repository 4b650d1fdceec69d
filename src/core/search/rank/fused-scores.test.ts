import { expect, test } from "vitest";
import { fusedScores } from "./fused-scores.ts";
import { madeCandidate } from "./made-candidates.ts";
import { RANK_WEIGHTS } from "./weights.ts";

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
  const gap = (scores: Float64Array) => (scores[0] ?? 0) - (scores[1] ?? 0);
  expect(gap(fusedScores(candidates, 0.4, RANK_WEIGHTS))).toBeGreaterThan(
    gap(fusedScores(candidates, 0.4, { ...RANK_WEIGHTS, keywordScore: 0 })),
  );
});
