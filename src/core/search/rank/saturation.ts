import type { RankCandidate } from "./candidate.ts";

/** Each further chunk of a file counts less, so that the answer spreads over files: `decay`, then its square … */
export function saturationFactors(
  candidates: readonly RankCandidate[],
  scores: Float64Array,
  decay: number,
): Float64Array {
  const order = [...candidates.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  const taken = new Map<number, number>();
  const factors = new Float64Array(candidates.length);
  for (const place of order) {
    const document = candidates[place]?.document ?? 0;
    const before = taken.get(document) ?? 0;
    factors[place] = decay ** before;
    taken.set(document, before + 1);
  }
  return factors;
}
