import type { RankCandidate } from "./candidate.ts";

/**
 * A file that is found often: its best chunk gets `weight` times the file's share of the largest sum. Gives the bonus
 * by place of the candidate, in units of the best score.
 */
export function coherenceBonuses(
  candidates: readonly RankCandidate[],
  scores: Float64Array,
  weight: number,
): Map<number, number> {
  const files = new Map<number, { sum: number; best: number }>();
  candidates.forEach(({ document }, place) => {
    const score = scores[place] ?? 0;
    const file = files.get(document);
    if (!file) files.set(document, { sum: score, best: place });
    else {
      file.sum += score;
      if (score > (scores[file.best] ?? 0)) file.best = place;
    }
  });
  let most = 0;
  for (const { sum } of files.values()) most = Math.max(most, sum);
  const bonuses = new Map<number, number>();
  if (most === 0) return bonuses;
  for (const { sum, best } of files.values()) bonuses.set(best, (weight * sum) / most);
  return bonuses;
}
