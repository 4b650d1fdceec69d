import type { RankCandidate } from "./candidate.ts";
import type { RankWeights } from "./weights.ts";

/**
 * Weighted reciprocal ranks of both lists, 1 for the first of both, and beside the keyword rank the keyword score itself:
 * a wide gap to the next says more than one rank.
 */
export function fusedScores(
  candidates: readonly RankCandidate[],
  meaning: number,
  { fusionK, keywordScore }: RankWeights,
): Float64Array {
  let most = 0;
  for (const candidate of candidates) most = Math.max(most, candidate.keywordScore);
  return Float64Array.from(candidates, (candidate) => {
    const words = reciprocal(candidate.keywordRank, fusionK);
    const scored = most > 0 ? (keywordScore * candidate.keywordScore) / most : 0;
    return (1 - meaning) * (words + scored) + meaning * reciprocal(candidate.vectorRank, fusionK);
  });
}

const reciprocal = (rank: number | undefined, k: number): number =>
  rank === undefined ? 0 : (k + 1) / (k + rank);
