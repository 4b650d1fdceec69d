import type { RankStep } from "./candidate.ts";
import { kindsOf } from "./path-kinds.ts";
import type { RankQuestion } from "./question.ts";
import type { RankWeights } from "./weights.ts";

/** Tests, documents, data and copies stand behind the source, unless the question asks for them. */
export function demotionsOf(path: string, question: RankQuestion, weights: RankWeights): RankStep[] {
  return kindsOf(path).map((kind) => ({
    step: kind,
    factor: question.asksFor.has(kind) ? weights.askedKind : weights[kind],
  }));
}
