import { byCodeUnit } from "../order.ts";
import { passing } from "./filters.ts";
import { FUSION_TUNING, fuse } from "./fusion.ts";
import type { IndexView } from "./index-view.ts";
import type { KeywordScorer, KeywordScores } from "./keyword.ts";
import type { AskedVector } from "./query-vectors.ts";
import { nonIncreasing, type RankedChunk, ranksOf, topOf } from "./ranking.ts";
import type { Hit, SearchRequest, SearchResult } from "./search-index.ts";
import { type ParsedQuery, parseQuery } from "./text/query.ts";

const CANDIDATES = 200;
const NO_VECTOR = -1.5;

/** What a search works on, at one generation. */
interface SearchGround {
  readonly view: IndexView;
  readonly scorer: KeywordScorer;
}

export function searchKeyword({ view, scorer }: SearchGround, request: SearchRequest): SearchResult {
  const mask = passing(view, request.filters ?? []);
  const keyword = scorer.score(parseQuery(request.query, request), mask, request);
  const ranked = topByWords(view, keyword, request.limit);
  const scores = nonIncreasing(ranked.map(({ ordinal }) => keyword.share(ordinal)));
  const hits = ranked.map(({ ordinal }, index) => ({
    ...hitOf(view, ordinal, scores[index] ?? 0),
    keywordRank: index + 1,
  }));
  return { hits, total: keyword.candidates.scores.length, model: undefined, degraded: undefined };
}

export function searchVector(
  { view }: SearchGround,
  asked: AskedVector,
  request: SearchRequest,
): SearchResult {
  const mask = passing(view, request.filters ?? []);
  const { ranked, compared } = nearest(view, asked, mask, request.limit);
  const hits = ranked.map(({ ordinal, score }, index) => ({
    ...hitOf(view, ordinal, clamp(score)),
    vectorRank: index + 1,
  }));
  return { hits, total: compared, model: asked.matrix?.model.id, degraded: asked.problem || undefined };
}

export function searchHybrid(
  { view, scorer }: SearchGround,
  asked: AskedVector,
  request: SearchRequest,
): SearchResult {
  const mask = passing(view, request.filters ?? []);
  const query = parseQuery(request.query, request);
  const keyword = scorer.score(query, mask, request);
  const idOf = (ordinal: number) => view.chunkId(ordinal);
  const depth = Math.max(CANDIDATES, request.limit);
  const byWords = topByWords(view, keyword, depth);
  const { cosines, ranked: byMeaning } = nearest(view, asked, mask, depth);
  const alpha = byMeaning.length === 0 ? 0 : alphaOf(query);
  const lists = { words: ranksOf(byWords), meaning: ranksOf(byMeaning) };
  const fused = fuse([
    { ids: [...lists.words.keys()], weight: 1 - alpha },
    { ids: [...lists.meaning.keys()], weight: alpha },
  ]);
  // What bears exactly the name that was asked for comes first, whatever else means.
  const rank = (ordinal: number) => (fused.get(ordinal) ?? 0) + (alpha < 1 ? keyword.exactTier(ordinal) : 0);
  const order = [...fused.keys()].sort((a, b) => rank(b) - rank(a) || byCodeUnit(idOf(a), idOf(b)));
  const top = order.slice(0, request.limit);
  const worth = (ordinal: number) =>
    keyword.exactTier(ordinal) > 0
      ? 1
      : (1 - alpha) * keyword.share(ordinal) + alpha * clamp(cosines[ordinal] ?? 0);
  const scores = nonIncreasing(top.map(worth));
  return {
    hits: top.map((ordinal, index) => withRanks(hitOf(view, ordinal, scores[index] ?? 0), ordinal, lists)),
    total: Math.max(keyword.candidates.scores.length, order.length),
    model: asked.matrix?.model.id,
    degraded: asked.problem || undefined,
  };
}

/** The share of meaning: little for a name, more for a question. */
const alphaOf = ({ isIdentifier }: ParsedQuery): number =>
  isIdentifier ? FUSION_TUNING.identifierAlpha : FUSION_TUNING.alpha;

export const topByWords = (view: IndexView, { candidates }: KeywordScores, count: number): RankedChunk[] =>
  topOf(candidates, count, (ordinal) => view.chunkId(ordinal));

export function nearest(view: IndexView, { vector, matrix }: AskedVector, mask: Uint8Array, count: number) {
  if (!vector || !matrix) return { cosines: new Float32Array(0), compared: 0, ranked: [] };
  const { cosines, compared } = matrix.cosines(view, vector, mask);
  const ranked = topOf({ scores: cosines }, count, (ordinal) => view.chunkId(ordinal), NO_VECTOR);
  return { cosines, compared, ranked };
}

export function hitOf(view: IndexView, ordinal: number, score: number): Hit {
  const found = view.locate(ordinal);
  if (!found) return { chunkId: "", documentId: "", score };
  const { segment, local } = found;
  return {
    chunkId: segment.chunkId(local),
    documentId: segment.documentId(segment.documentOf(local)),
    score,
  };
}

function withRanks(
  hit: Hit,
  ordinal: number,
  {
    words,
    meaning,
  }: { readonly words: ReadonlyMap<number, number>; readonly meaning: ReadonlyMap<number, number> },
): Hit {
  const keywordRank = words.get(ordinal);
  const vectorRank = meaning.get(ordinal);
  return {
    ...hit,
    ...(keywordRank !== undefined && { keywordRank }),
    ...(vectorRank !== undefined && { vectorRank }),
  };
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value));
