import type { RankCandidate } from "./candidate.ts";
import type { RankWeights } from "./weights.ts";

/** What each list gives a candidate. */
interface ListScores {
  readonly words: number;
  readonly meaning: number;
}

/** The sum of what both lists give, 1 for the first of both if the keyword score does not count. */
export function fusedScores(
  candidates: readonly RankCandidate[],
  meaning: number,
  weights: RankWeights,
): Float64Array {
  const scoresOf = listScorer(candidates, meaning, weights);
  return Float64Array.from(candidates, (candidate) => {
    const scores = scoresOf(candidate);
    return scores.words + scores.meaning;
  });
}

/**
 * Weighted reciprocal ranks, and beside the keyword rank the keyword score itself: a wide gap to the next says more than
 * one rank.
 */
export function listScorer(
  candidates: readonly RankCandidate[],
  meaning: number,
  { fusionK, keywordScore }: RankWeights,
): (candidate: RankCandidate) => ListScores {
  let most = 0;
  for (const candidate of candidates) most = Math.max(most, candidate.keywordScore);
  return (candidate) => {
    const scored = most > 0 ? (keywordScore * candidate.keywordScore) / most : 0;
    return {
      words: (1 - meaning) * (reciprocal(candidate.keywordRank, fusionK) + scored),
      meaning: meaning * reciprocal(candidate.vectorRank, fusionK),
    };
  };
}

const reciprocal = (rank: number | undefined, k: number): number =>
  rank === undefined ? 0 : (k + 1) / (k + rank);
