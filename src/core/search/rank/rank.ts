import type { RankCandidate, RankStep } from "./candidate.ts";
import { coherenceBonuses } from "./coherence.ts";
import { definitionBonus, moduleBonus } from "./definitions.ts";
import { demotionsOf } from "./demotions.ts";
import { listScores, sumOf } from "./fused-scores.ts";
import { type PathName, pathNameOf, pathWordsBonus } from "./path-words.ts";
import type { RankQuestion } from "./question.ts";
import { saturationFactors } from "./saturation.ts";
import { findTwins } from "./twins.ts";
import type { RankWeights } from "./weights.ts";

interface RankInput {
  readonly text: string;
  readonly question: RankQuestion;
  readonly candidates: readonly RankCandidate[];
  /** Share of the vector list, 0 to 1. */
  readonly meaning: number;
  readonly weights: RankWeights;
}
interface RankedCandidate {
  readonly candidate: RankCandidate;
  /** What it is ordered by; says nothing outside of this answer. */
  readonly score: number;
  /** Why: the sum of the bonuses times the factors is the score. */
  steps(): RankStep[];
}

interface PathFacts {
  readonly name: PathName;
  readonly pathWords: number;
  readonly demotions: readonly RankStep[];
}
interface OwnBonuses {
  readonly definition: number;
  readonly module: number;
  readonly phrase: number;
}

/** The `limit` best. The stage between the two lists and the answer; equal scores stay in the order of the candidates. */
export function rankCandidates(input: RankInput, limit = Number.POSITIVE_INFINITY): RankedCandidate[] {
  const { candidates, meaning, weights } = input;
  const lists = listScores(candidates, meaning, weights);
  const scores = Float64Array.from(lists, sumOf);
  const coherence = coherenceBonuses(candidates, scores, weights.coherence);
  const highestOfLists = highest(scores);
  for (const [place, bonus] of coherence) scores[place] = (scores[place] ?? 0) + highestOfLists * bonus;
  const unit = highest(scores) || 1;
  const factsOf = pathFacts(input);
  const bonusesOf = bonusFinder(input);
  candidates.forEach((candidate, place) => {
    const facts = factsOf(candidate);
    const { definition, module, phrase } = bonusesOf(candidate, facts, coherence.has(place));
    let score = (scores[place] ?? 0) / unit + facts.pathWords + definition + module + phrase;
    for (const { factor = 1 } of facts.demotions) score *= factor;
    scores[place] = score;
  });
  const saturation = saturationFactors(candidates, scores, weights.saturation);
  for (const [place, factor] of saturation.entries()) scores[place] = (scores[place] ?? 0) * factor;
  const stepsOf = (candidate: RankCandidate, place: number): RankStep[] => {
    const own = lists[place];
    const facts = factsOf(candidate);
    const { definition, module, phrase } = bonusesOf(candidate, facts, coherence.has(place));
    const bonuses: RankStep[] = [
      { step: "words", bonus: (own?.words ?? 0) / unit },
      { step: "meaning", bonus: (own?.meaning ?? 0) / unit },
      { step: "coherence", bonus: ((coherence.get(place) ?? 0) * highestOfLists) / unit },
      { step: "path words", bonus: facts.pathWords },
      { step: "definition", bonus: definition },
      { step: "module", bonus: module },
      { step: "phrase", bonus: phrase },
    ];
    const factors = [...facts.demotions, { step: "saturation", factor: saturation[place] ?? 1 }];
    return [
      ...bonuses.filter(({ bonus }) => bonus !== 0),
      ...factors.filter((demotion) => demotion.factor !== 1),
    ];
  };
  const order = Uint32Array.from(scores.keys()).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  return Array.from(order.subarray(0, limit)).flatMap((place) => {
    const candidate = candidates[place];
    return candidate
      ? [{ candidate, score: scores[place] ?? 0, steps: () => stepsOf(candidate, place) }]
      : [];
  });
}

/** What a candidate gets by itself; `isBest` is said of the best chunk of its file, which stands for the module. */
function bonusFinder({ question, weights }: RankInput) {
  return (candidate: RankCandidate, { name }: PathFacts, isBest: boolean): OwnBonuses => ({
    definition: definitionBonus(candidate, name, weights),
    module: isBest ? moduleBonus(name, question, weights) : 0,
    phrase: weights.phrase * candidate.phrase,
  });
}

/** What is the same for all chunks of a path, but for tests among its source, worked out once. */
function pathFacts({ candidates, text, question, weights }: RankInput) {
  const names = new Map<string, PathName>();
  for (const { path } of candidates) if (!names.has(path)) names.set(path, pathNameOf(path));
  let top = Number.POSITIVE_INFINITY;
  for (const { depth } of names.values()) top = Math.min(top, depth);
  const twins = findTwins([...names.keys()], text, weights);
  const facts = new Map<string, PathFacts>();
  return ({ path, role }: RankCandidate): PathFacts => {
    const key = role === undefined ? path : `${path}\0${role}`;
    const known = facts.get(key);
    if (known) return known;
    const name = names.get(path) ?? pathNameOf(path);
    const twin = twins.get(path);
    const made = {
      name,
      pathWords: pathWordsBonus(name, question, weights),
      demotions: [
        ...demotionsOf(role === undefined ? name.kinds : [...name.kinds, role], question.asksFor, weights),
        ...(twin ? [twin] : []),
        { step: "depth", factor: weights.depth ** Math.min(name.depth - top, MOST_DEPTH) },
      ],
    };
    facts.set(key, made);
    return made;
  };
}

/** Further down, depth says nothing: the source of a monorepo or of a Java package begins deep. */
const MOST_DEPTH = 3;

function highest(scores: Float64Array): number {
  let most = 0;
  for (const score of scores) if (score > most) most = score;
  return most;
}
