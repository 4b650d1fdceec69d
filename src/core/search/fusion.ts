/** Chosen on the evaluation's tuning half; see eval/README.md. */
export const FUSION_TUNING = { k: 5, alpha: 0.5, identifierAlpha: 0.2 };

/**
 * Weighted reciprocal-rank fusion: a chunk's score is the sum, over the lists it is in, of weight / (k + rank). The lists
 * hold ids, best first; the result maps each id to its score.
 */
export function fuse<Id>(
  lists: readonly { readonly ids: readonly Id[]; readonly weight: number }[],
  k = FUSION_TUNING.k,
) {
  const scores = new Map<Id, number>();
  for (const { ids, weight } of lists) {
    for (const [index, id] of ids.entries()) {
      scores.set(id, (scores.get(id) ?? 0) + weight / (k + index + 1));
    }
  }
  return scores;
}
