import { byCodeUnit } from "../order.ts";
import { passing } from "./filters.ts";
import type { IndexView } from "./index-view.ts";
import type { KeywordScorer, KeywordScores } from "./keyword.ts";
import { definitionsOf, type UnknownName, unknownName } from "./name-lookup.ts";
import type { AskedVector } from "./query-vectors.ts";
import type { DefinedName, RankCandidate } from "./rank/candidate.ts";
import { innerTerms, literalStrengths } from "./rank/literals.ts";
import { type RankQuestion, readQuestion } from "./rank/question.ts";
import { rankCandidates } from "./rank/rank.ts";
import { RANK_WEIGHTS, type RankWeights } from "./rank/weights.ts";
import { nonIncreasing, ranksOf } from "./ranking.ts";
import type { RankingRequest, ScoreBound, SearchRequest, SearchResult } from "./search-index.ts";
import { hitOf, nearest, topByWords } from "./searches.ts";
import { parseQuery } from "./text/query.ts";

const CANDIDATES = 200;
/** Texts are compressed: only of the best by words are they read. */
const TEXTS_READ = 40;
/** A name that was not asked for is never the answer for certain. */
const NEAREST_WORTH = 0.4;

/** Which lists take part. */
interface RankedLists {
  readonly view: IndexView;
  readonly scorer: KeywordScorer;
  readonly asked: AskedVector | undefined;
  readonly useWords: boolean;
}
interface GatheredCandidates {
  readonly keyword: KeywordScores;
  readonly words: ReadonlyMap<number, number>;
  readonly meaning: ReadonlyMap<number, number>;
  readonly defined: ReadonlyMap<number, readonly DefinedName[]>;
  readonly cosines: Float32Array;
  /** Set if the question is a name that no symbol has. */
  readonly unknown: UnknownName | undefined;
}

/** Both lists, then the ranking stage of `rank/`, then the cut. */
export function searchRanked(
  lists: RankedLists,
  request: SearchRequest,
  ranking: RankingRequest,
): SearchResult {
  const { view, asked } = lists;
  const weights: RankWeights = { ...RANK_WEIGHTS, ...ranking.weights };
  const question = readQuestion(request.query);
  const gathered = gather(lists, request, question);
  const candidates = candidatesOf(view, gathered, { question, ranking });
  const meaning = shareOfMeaning(lists, gathered.meaning.size > 0, question, weights);
  const input = { text: request.query, question, candidates, meaning, weights };
  const top = rankCandidates(input, request.limit);
  const worths = top.map(({ candidate }) => worthOf(candidate, gathered, meaning));
  const isRelevant = Math.max(0, ...worths) >= floorOf(lists, meaning, weights);
  const scores = nonIncreasing(worths);
  return {
    hits: (isRelevant ? top : []).map(({ candidate, steps }, place) => ({
      ...hitOf(view, candidate.chunk, scores[place] ?? 0),
      ...(candidate.keywordRank !== undefined && { keywordRank: candidate.keywordRank }),
      ...(candidate.vectorRank !== undefined && { vectorRank: candidate.vectorRank }),
      ...(ranking.explain && { steps: steps() }),
    })),
    total: isRelevant ? Math.max(gathered.keyword.candidates.scores.length, candidates.length) : 0,
    model: asked?.matrix?.model.id,
    degraded: asked?.problem || undefined,
    ...(gathered.unknown && { nearestNames: gathered.unknown.nearest }),
  };
}

/**
 * The first half of a ranked search: words and vectors are compared with every chunk, but nothing is ranked and no text is
 * read. No hit of `searchRanked` has a higher score than `most`.
 */
export function upperBoundOf(
  { view, scorer, asked, useWords }: RankedLists,
  request: SearchRequest,
): ScoreBound {
  const mask = passing(view, request.filters ?? []);
  const keyword = scorer.score(parseQuery(request.query), mask, request);
  const { vector, matrix } = asked ?? {};
  // The search itself follows.
  if (matrix) matrix.refresh(view);
  const { cosines, compared } = vector && matrix ? matrix.cosines(view, vector, mask) : NO_VECTORS;
  const question = readQuestion(request.query);
  const meaning = shareOfMeaning({ asked, useWords }, compared > 0, question, RANK_WEIGHTS);
  const { ordinals = new Uint32Array(0) } = keyword.candidates;
  let nearest = 0;
  for (let at = 0; at < cosines.length; at++) nearest = Math.max(nearest, cosines[at] ?? 0);
  let most = Math.min(1, nearest) * meaning;
  let hasName = false;
  for (let at = 0; at < ordinals.length; at++) {
    const ordinal = ordinals[at] ?? 0;
    const isExact = keyword.exactTier(ordinal) > 0;
    hasName ||= isExact;
    if (meaning === 1) continue;
    const cosine = Math.min(1, Math.max(0, cosines[ordinal] ?? 0));
    const worth = isExact ? 1 : (1 - meaning) * keyword.share(ordinal) + meaning * cosine;
    if (worth > most) most = worth;
  }
  if (useWords && question.isName && !hasName) most = Math.max(most, NEAREST_WORTH);
  return { most, total: useWords ? ordinals.length : compared, hasName };
}

function gather(lists: RankedLists, request: SearchRequest, question: RankQuestion): GatheredCandidates {
  const { view, scorer, asked, useWords } = lists;
  const mask = passing(view, request.filters ?? []);
  const keyword = scorer.score(parseQuery(request.query), mask, request);
  const depth = Math.max(CANDIDATES, request.limit);
  const byWords = useWords ? topByWords(view, keyword, depth) : [];
  const { cosines, ranked: byMeaning } = asked ? nearest(view, asked, mask, depth) : NO_VECTORS;
  const words = ranksOf(byWords);
  const isStrict = asked === undefined && request.words === "all";
  const found = useWords ? definitionsOf(view, question.names, mask) : new Map<number, DefinedName[]>();
  // Who wants all of the words gets no definition without them.
  const defined = isStrict ? new Map([...found].filter(([chunk]) => words.has(chunk))) : found;
  const isUndefined = useWords && question.isName && defined.size === 0;
  const unknown = isUndefined ? unknownName(view, request.query, question.isIdentifier) : undefined;
  const near = unknown?.isMentioned || isStrict ? [] : (unknown?.nearest ?? []);
  return {
    keyword,
    cosines,
    words,
    meaning: ranksOf(byMeaning),
    unknown,
    defined:
      near.length === 0
        ? defined
        : definitionsOf(
            view,
            near.map((text) => ({ text, look: "nearest" })),
            mask,
          ),
  };
}
const NO_NAMES: readonly DefinedName[] = [];
const NO_VECTORS = { cosines: new Float32Array(0), compared: 0, ranked: [] };

function candidatesOf(
  view: IndexView,
  { keyword, words, meaning, defined }: GatheredCandidates,
  { question, ranking }: { readonly question: RankQuestion; readonly ranking: RankingRequest },
): RankCandidate[] {
  const phrases = phrasesOf(view, words, question, ranking);
  const named: { readonly ordinal: number; readonly id: string }[] = [];
  const add = (ordinal: number) => named.push({ ordinal, id: view.chunkId(ordinal) });
  for (const ordinal of words.keys()) add(ordinal);
  for (const ordinal of meaning.keys()) if (!words.has(ordinal)) add(ordinal);
  for (const ordinal of defined.keys()) if (!words.has(ordinal) && !meaning.has(ordinal)) add(ordinal);
  // The order of equal scores must not depend on where a chunk happens to be stored.
  named.sort((a, b) => byCodeUnit(a.id, b.id));
  return named.map(({ ordinal }) => {
    const { document, path, kind, role, longFunction } = view.placeOf(ordinal);
    const keywordRank = words.get(ordinal);
    return {
      chunk: ordinal,
      document,
      path,
      kind,
      role,
      longFunction,
      keywordRank,
      vectorRank: meaning.get(ordinal),
      keywordScore: keywordRank === undefined ? 0 : keyword.scoreOf(ordinal),
      defines: defined.get(ordinal) ?? NO_NAMES,
      phrase: phrases.get(ordinal) ?? 0,
    };
  });
}

/** By chunk, how strongly its text holds what the question quotes. A text that lacks a word of it is not read. */
function phrasesOf(
  view: IndexView,
  words: ReadonlyMap<number, number>,
  { literals }: RankQuestion,
  { textOf }: RankingRequest,
): Map<number, number> {
  if (literals.length === 0 || textOf === undefined) return new Map();
  const needed = literals.map(innerTerms);
  const mayHold = (ordinal: number) =>
    needed.some((terms) => terms.every((term) => view.hasTerm(ordinal, term)));
  const best = [...words.keys()].slice(0, TEXTS_READ).filter(mayHold);
  const strengths = literalStrengths(
    best.map((ordinal) => textOf(view.chunkId(ordinal))),
    literals,
  );
  return new Map(best.map((ordinal, place) => [ordinal, strengths[place] ?? 0]));
}

function shareOfMeaning(
  { asked, useWords }: Pick<RankedLists, "asked" | "useWords">,
  hasVectors: boolean,
  { isName }: RankQuestion,
  weights: RankWeights,
): number {
  if (asked === undefined || !hasVectors) return 0;
  if (!useWords) return 1;
  if (isName) return weights.meaningOfName;
  return asked.matrix?.model.id === "static" ? weights.meaning : weights.meaningOfBetterModel;
}

/** How relevant a chunk is, in [0, 1] and comparable across questions: what its words and its meaning say. */
function worthOf(
  { chunk, defines }: RankCandidate,
  { keyword, cosines, unknown }: GatheredCandidates,
  meaning: number,
): number {
  if (meaning < 1 && keyword.exactTier(chunk) > 0) return 1;
  if (defines.some(({ name }) => name.look === "nearest")) return NEAREST_WORTH;
  const cosine = Math.min(1, Math.max(0, cosines[chunk] ?? 0));
  const worth = (1 - meaning) * keyword.share(chunk) + meaning * cosine;
  return unknown && !unknown.isMentioned ? Math.min(worth, NEAREST_WORTH) : worth;
}

/** Vectors have a nearest chunk for any nonsense. Words have none, and meaning alone has no bound that holds. */
function floorOf({ asked }: RankedLists, meaning: number, weights: RankWeights): number {
  if (meaning === 0 || meaning === 1) return 0;
  return asked?.matrix?.model.id === "static" ? weights.floor : weights.floorOfBetterModel;
}
