import type { OpenedCache, OpenedDocument } from "../verify/opened-cache.ts";
import { scoreOf } from "./score.ts";
import { countWords, termsOf, type WordCount } from "./words.ts";

export interface Ranked extends WordCount {
  readonly document: OpenedDocument;
  readonly score: number;
  /** A quarter of the bytes, rounded up. */
  readonly tokens: number;
}
export interface Choice {
  readonly ranked: Ranked;
  readonly isTaken: boolean;
  /** What was used before this document had its turn. */
  readonly usedBefore: number;
}
export interface Selection {
  readonly query: string;
  readonly budget: number;
  readonly terms: readonly string[];
  /** Every document, in the order of rank. */
  readonly choices: readonly Choice[];
  readonly used: number;
}

/** Takes documents by rank as long as they fit; one that does not fit is passed over, never cut. */
export function select(cache: OpenedCache, query: string, budget: number): Selection {
  const terms = termsOf(query);
  let used = 0;
  const choices = rank(cache, new Set(terms)).map((ranked): Choice => {
    const usedBefore = used;
    // A budget of nothing buys nothing, not even what is empty.
    const isTaken = budget > 0 && used + ranked.tokens <= budget;
    if (isTaken) used += ranked.tokens;
    return { ranked, isTaken, usedBefore };
  });
  return { query, budget, terms, choices, used };
}

/** By score, then by id: documents come in the order of ids and sorting is stable. */
function rank(cache: OpenedCache, terms: ReadonlySet<string>): Ranked[] {
  const count = cache.index?.counter(terms) ?? splitting(cache, terms);
  const matching: Ranked[] = [];
  const others: Ranked[] = [];
  for (const [place, document] of cache.documents.entries()) {
    const { matches, total } = count(place);
    const tokens = Math.ceil(document.content.length / 4);
    const ranked = { document, matches, total, score: scoreOf(matches, total), tokens };
    (ranked.score > 0 ? matching : others).push(ranked);
  }
  return [...matching.sort((a, b) => b.score - a.score), ...others];
}

const splitting =
  ({ documents }: OpenedCache, terms: ReadonlySet<string>) =>
  (place: number) =>
    countWords(documents[place]?.content.toString("utf8") ?? "", terms);
