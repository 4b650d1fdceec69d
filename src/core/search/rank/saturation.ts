import type { RankCandidate } from "./candidate.ts";

/** Each further chunk of a file counts less, so that the answer spreads over files: `decay`, then its square … */
export function saturationFactors(
  candidates: readonly RankCandidate[],
  scores: Float64Array,
  decay: number,
): Float64Array {
  const last = new Map<number, number>();
  /** The place before of the same file. Most files have one or two. */
  const previous = new Int32Array(candidates.length);
  candidates.forEach(({ document }, place) => {
    previous[place] = last.get(document) ?? -1;
    last.set(document, place);
  });
  const factors = new Float64Array(candidates.length);
  candidates.forEach(({ document }, place) => {
    const score = scores[place] ?? 0;
    let better = 0;
    for (let other = last.get(document) ?? -1; other >= 0; other = previous[other] ?? -1) {
      const theirs = scores[other] ?? 0;
      if (theirs > score || (theirs === score && other < place)) better++;
    }
    factors[place] = decay ** better;
  });
  return factors;
}
