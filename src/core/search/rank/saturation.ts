import type { RankCandidate } from "./candidate.ts";

/** Each further chunk of a file counts less, so that the answer spreads over files: `decay`, then its square … */
export function saturationFactors(
  candidates: readonly RankCandidate[],
  scores: Float64Array,
  decay: number,
): Float64Array {
  const files = new Map<number, number[]>();
  for (const [place, { document }] of candidates.entries()) {
    const places = files.get(document);
    if (places) places.push(place);
    else files.set(document, [place]);
  }
  const factors = new Float64Array(candidates.length).fill(1);
  for (const places of files.values()) {
    if (places.length === 1) continue;
    places.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
    for (const [before, place] of places.entries()) factors[place] = decay ** before;
  }
  return factors;
}
