import { byCodeUnit } from "../../../core/order.ts";
import type { RankableText, TextRanker } from "../../../core/search/index.ts";
import type { RankedDocument } from "./merge.ts";

/** A document with the evidence for it, which is not relative to the other candidates, as `score` is. */
interface EvidencedDocument extends RankedDocument {
  /** The score of its best chunk by words, in [0, 1]. */
  readonly words: number;
  /** The cosine of its best chunk. */
  readonly cosine: number;
  /** It takes part only because the question asks for its topic. */
  readonly isAskedFor: boolean;
}

interface RelevanceRequest {
  readonly query: string;
  readonly mode: "keyword" | "semantic" | "hybrid";
  /** The share of meaning against words. */
  readonly alpha: number;
  /** Best first. */
  readonly ranked: readonly EvidencedDocument[];
  /** How many documents the answer has at most. */
  readonly limit: number;
  /** The title of a document, and those parts of it that were found. */
  textOf(document: EvidencedDocument): RankableText;
}

/** Comparing words takes about half a millisecond per document. */
const MOST_COMPARED = 50;
const LEAST_COMPARED = 24;

/**
 * Chosen on the tuning half of eval/documents with the quick model of models/; a new model needs another look. `ranker` is the
 * share of the question that the text answers, word by word. `cosine` and `words` are those of a configured alpha of 0.6.
 * `relative` counts for the order only: the best document always has a relative score of 1. Evidence up to `none` is what
 * made-up questions reach; from `certain` on, the best document scores 1.
 */
const WEIGHTS = {
  keyword: { ranker: 0.5, relative: 0.5, cosine: 0, words: 0, none: 0, certain: 0.2 },
  semantic: { ranker: 0.4, relative: 0, cosine: 0.4, words: 0, none: 0.1, certain: 0.23 },
  hybrid: { ranker: 0.5, relative: 0.1, cosine: 0.4, words: 0.1, none: 0.1, certain: 0.35 },
} as const;
const TUNED_ALPHA = 0.6;
/** What its authors advise against stands behind what they offer, unless it is asked for. */
const DEPRECATED_WEIGHT = 0.8;
/** A question about the past is answered by a commit rather than by a page, one that names a package by that package. */
const ASKED_WEIGHT = 1.2;
const DEPRECATED = /@deprecated\b|\bdeprecated:/i;

/**
 * Orders the best documents by how well they answer the question. The best one scores 1 if the evidence for it is good, and
 * less if it is only the nearest of unrelated texts; the others score relative to it.
 */
export async function byRelevance(
  { query, mode, alpha, ranked, limit, textOf }: RelevanceRequest,
  rank: TextRanker,
): Promise<RankedDocument[]> {
  const compared = ranked.slice(0, Math.min(MOST_COMPARED, Math.max(LEAST_COMPARED, limit)));
  const texts = compared.map(textOf);
  const shares = await rank(query, texts);
  const asksForDeprecated = /\bdeprecat/i.test(query);
  const weights = weightsFor(mode, alpha);
  const judged = compared
    .map((document, place) => {
      const evidence =
        weights.ranker * (shares[place] ?? 0) +
        weights.cosine * Math.max(0, document.cosine) +
        weights.words * document.words;
      const isDeprecated = !asksForDeprecated && DEPRECATED.test(texts[place]?.text ?? "");
      const strength = evidence + weights.relative * document.score;
      const weight = (isDeprecated ? DEPRECATED_WEIGHT : 1) * (document.isAskedFor ? ASKED_WEIGHT : 1);
      return { document, evidence, strength: weight * strength };
    })
    .sort((a, b) => b.strength - a.strength || byCodeUnit(a.document.documentId, b.document.documentId));
  const [best] = judged;
  if (best === undefined || best.strength <= 0) return ranked.map((document) => ({ ...document, score: 0 }));
  const certainty = clamp((best.evidence - weights.none) / (weights.certain - weights.none));
  const scored = judged.map(({ document, strength }) => ({
    ...document,
    score: certainty * (strength / best.strength),
  }));
  const least = scored.at(-1)?.score ?? 0;
  const rest = ranked
    .slice(compared.length)
    .map((document) => ({ ...document, score: least * document.score }));
  return [...scored, ...rest];
}

function weightsFor(mode: RelevanceRequest["mode"], alpha: number) {
  const weights = WEIGHTS[mode];
  if (mode !== "hybrid") return weights;
  return {
    ...weights,
    cosine: (weights.cosine * alpha) / TUNED_ALPHA,
    words: (weights.words * (1 - alpha)) / (1 - TUNED_ALPHA),
  };
}

const clamp = (value: number) => Math.min(1, Math.max(0, value));
