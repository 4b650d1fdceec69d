import type { RankCandidate } from "./candidate.ts";
import type { RankWeights } from "./weights.ts";

/** What each list gives a candidate. */
interface ListScores {
  readonly words: number;
  readonly meaning: number;
}

/**
 * What both lists give each candidate: weighted reciprocal ranks, and beside the keyword rank the keyword score itself: a
 * wide gap to the next says more than one rank. The first of both has 1 if the keyword score does not count.
 */
export function listScores(
  candidates: readonly RankCandidate[],
  meaning: number,
  { fusionK, keywordScore }: RankWeights,
): readonly ListScores[] {
  let most = 0;
  for (const candidate of candidates) most = Math.max(most, candidate.keywordScore);
  const scores = candidates.map((candidate) => {
    const scored = most > 0 ? (keywordScore * candidate.keywordScore) / most : 0;
    return {
      words: (1 - meaning) * (reciprocal(candidate.keywordRank, fusionK) + scored),
      meaning: meaning * reciprocal(candidate.vectorRank, fusionK),
    };
  });
  for (const places of partsOfFunctions(candidates)) {
    const parts = places.flatMap((place) => scores[place] ?? []);
    const best = places[indexOfBest(parts)];
    // Words may be found in one part and the meaning in another: the function has both.
    if (best !== undefined)
      scores[best] = {
        words: Math.max(...parts.map(({ words }) => words)),
        meaning: Math.max(...parts.map(({ meaning }) => meaning)),
      };
  }
  return scores;
}

export const sumOf = ({ words, meaning }: ListScores): number => words + meaning;

/** The places of the candidates that are parts of one long function. */
function partsOfFunctions(candidates: readonly RankCandidate[]): Iterable<readonly number[]> {
  const functions = new Map<string, number[]>();
  candidates.forEach(({ document, longFunction }, place) => {
    if (longFunction === "") return;
    const key = `${document} ${longFunction}`;
    const places = functions.get(key);
    if (places) places.push(place);
    else functions.set(key, [place]);
  });
  return functions.values();
}

function indexOfBest(parts: readonly ListScores[]): number {
  let best = 0;
  let most = Number.NEGATIVE_INFINITY;
  for (const [index, part] of parts.entries()) {
    if (sumOf(part) <= most) continue;
    most = sumOf(part);
    best = index;
  }
  return best;
}

const reciprocal = (rank: number | undefined, k: number): number =>
  rank === undefined ? 0 : (k + 1) / (k + rank);
