import type { LoadedCache, LoadedDocument } from "../verify/load-cache.ts";
import { scoreOf } from "./score.ts";
import { countWords, termsOf, type WordCount } from "./words.ts";

interface ScoredDocument extends WordCount {
  readonly document: LoadedDocument;
  readonly score: number;
  /** A quarter of the bytes, rounded up. */
  readonly tokens: number;
}
export interface DocumentChoice {
  readonly ranked: ScoredDocument;
  readonly isTaken: boolean;
  /** Tokens used by the documents ranked before. */
  readonly usedBefore: number;
}
export interface DocumentSelection {
  readonly query: string;
  readonly budget: number;
  readonly terms: readonly string[];
  /** Every document, in the order of rank. */
  readonly choices: readonly DocumentChoice[];
  readonly used: number;
}

/** Takes documents by rank while they fit. A document that does not fit is skipped, never cut. */
export function select(cache: LoadedCache, query: string, budget: number): DocumentSelection {
  const terms = termsOf(query);
  let used = 0;
  const choices = rank(cache, new Set(terms)).map((ranked): DocumentChoice => {
    const usedBefore = used;
    // A budget of 0 selects nothing, not even empty documents.
    const isTaken = budget > 0 && used + ranked.tokens <= budget;
    if (isTaken) used += ranked.tokens;
    return { ranked, isTaken, usedBefore };
  });
  return { query, budget, terms, choices, used };
}

/** By score, then by id: documents come in the order of ids and sorting is stable. */
function rank(cache: LoadedCache, terms: ReadonlySet<string>): ScoredDocument[] {
  const count = cache.index?.counter(terms) ?? countBySplitting(cache, terms);
  const matching: ScoredDocument[] = [];
  const others: ScoredDocument[] = [];
  for (const [place, document] of cache.documents.entries()) {
    const { matches, total } = count(place);
    const tokens = Math.ceil(document.content.length / 4);
    const ranked = { document, matches, total, score: scoreOf(matches, total), tokens };
    (ranked.score > 0 ? matching : others).push(ranked);
  }
  return [...matching.sort((a, b) => b.score - a.score), ...others];
}

const countBySplitting =
  ({ documents }: LoadedCache, terms: ReadonlySet<string>) =>
  (place: number) =>
    countWords(documents[place]?.content.toString("utf8") ?? "", terms);
