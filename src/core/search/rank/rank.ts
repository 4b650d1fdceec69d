import type { RankCandidate, RankStep } from "./candidate.ts";
import { coherenceBonuses } from "./coherence.ts";
import { definitionBonus } from "./definitions.ts";

import { fusedScores } from "./fused-scores.ts";
import { demotionsOf } from "./path-kinds.ts";
import { type PathName, pathNameOf, pathWordsBonus } from "./path-words.ts";
import type { RankQuestion } from "./question.ts";
import { saturationFactors } from "./saturation.ts";
import { findTwins } from "./twins.ts";
import type { RankWeights } from "./weights.ts";

export interface RankInput {
  readonly text: string;
  readonly question: RankQuestion;
  readonly candidates: readonly RankCandidate[];
  /** Share of the vector list, 0 to 1. */
  readonly meaning: number;
  readonly weights: RankWeights;
}
export interface RankedCandidate {
  readonly candidate: RankCandidate;
  /** What it is ordered by; says nothing outside of this answer. */
  readonly score: number;
  /** What moved it, in the order of the steps. */
  readonly steps: readonly RankStep[];
}

interface PathFacts {
  readonly name: PathName;
  readonly pathWords: number;
  readonly demotions: readonly RankStep[];
}

/** The stage between the two lists and the answer. Equal scores stay in the order of the candidates. */
export function rankCandidates({
  text,
  question,
  candidates,
  meaning,
  weights,
}: RankInput): RankedCandidate[] {
  const scores = fusedScores(candidates, meaning, weights);
  const coherence = coherenceBonuses(candidates, scores, weights.coherence);
  const lists = highest(scores);
  for (const [place, bonus] of coherence) scores[place] = (scores[place] ?? 0) + lists * bonus;
  const unit = highest(scores) || 1;
  const factsOf = pathFacts(candidates, { text, question, weights });
  const steps = candidates.map((candidate, place) => {
    const { name, pathWords, demotions } = factsOf(candidate.path);
    const found: RankStep[] = [
      { step: "coherence", bonus: coherence.get(place) ?? 0 },
      { step: "path words", bonus: pathWords },
      { step: "definition", bonus: definitionBonus(candidate, name, weights) },
      { step: "phrase", bonus: weights.phrase * candidate.phrase },
    ];
    // Coherence is in the score already: it decides what a unit is.
    for (const { bonus = 0 } of found.slice(1)) scores[place] = (scores[place] ?? 0) + unit * bonus;
    for (const { factor = 1 } of demotions) scores[place] = (scores[place] ?? 0) * factor;
    return [...found.filter(({ bonus }) => bonus !== 0), ...demotions];
  });
  const saturation = saturationFactors(candidates, scores, weights.saturation);
  const ranked = candidates.map((candidate, place) => {
    const factor = saturation[place] ?? 1;
    const own = steps[place] ?? [];
    return {
      candidate,
      score: (scores[place] ?? 0) * factor,
      steps: factor === 1 ? own : [...own, { step: "saturation", factor }],
    };
  });
  return ranked.sort((a, b) => b.score - a.score);
}

/** What is the same for all chunks of a path, worked out once. */
function pathFacts(
  candidates: readonly RankCandidate[],
  { text, question, weights }: Pick<RankInput, "text" | "question" | "weights">,
) {
  const paths = [...new Set(candidates.map(({ path }) => path))];
  const twins = findTwins(paths, text, weights);
  const facts = new Map<string, PathFacts>();
  return (path: string): PathFacts => {
    const known = facts.get(path);
    if (known) return known;
    const name = pathNameOf(path);
    const twin = twins.get(path);
    const demotions = demotionsOf(path, question.asksFor, weights);
    const made = {
      name,
      pathWords: pathWordsBonus(name, question, weights),
      demotions: twin ? [...demotions, twin] : demotions,
    };
    facts.set(path, made);
    return made;
  };
}

function highest(scores: Float64Array): number {
  let most = 0;
  for (const score of scores) if (score > most) most = score;
  return most;
}
