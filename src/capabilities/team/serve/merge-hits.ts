import { z } from "zod";
import { byCodeUnit } from "../../../core/order.ts";

/** A hit of the code index: what the merge reads of it. The rest stays as it is. */
export const MergedHit = z.looseObject({
  project: z.string(),
  commit: z.string(),
  rank: z.int(),
  relevance_score: z.number(),
  symbol: z.looseObject({ name: z.string(), signature: z.string(), doc_comment: z.string() }),
  file: z.looseObject({ path: z.string(), start_line: z.int() }),
  content: z.string(),
});
export type MergedHit = z.output<typeof MergedHit>;

/**
 * One ranking of the hits of many projects. A score of one project says how a hit compares with the best hit there, so the
 * best hit of a project that has nothing to do with the query would be as good as any. It is therefore weighted by how many
 * of the query's words the hit has; words that few hits have weigh more.
 */
export function mergeHits(query: string, hits: readonly MergedHit[], limit: number): MergedHit[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [])];
  const found = hits.map((hit) => {
    const { symbol, file, content } = hit;
    const text = [symbol.name, file.path, symbol.signature, symbol.doc_comment, content]
      .join("\n")
      .toLowerCase();
    return words.map((word) => text.includes(word));
  });
  const weights = words.map((_, at) => {
    const holders = found.filter((has) => has[at]).length;
    return Math.log(1 + hits.length / (1 + holders));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const asked = query.trim();
  const scored = hits.map((hit, place) => {
    const covered = weights.reduce((sum, weight, at) => sum + (found[place]?.[at] ? weight : 0), 0) / total;
    const isExact = hit.symbol.name === asked;
    return { hit, score: (isExact ? 1 : 0) + hit.relevance_score * covered };
  });
  return scored
    .sort((a, b) => b.score - a.score || inOrder(a.hit, b.hit))
    .slice(0, limit)
    .map(({ hit }, place) => ({ ...hit, rank: place + 1 }));
}

const inOrder = (a: MergedHit, b: MergedHit) =>
  a.rank - b.rank ||
  byCodeUnit(a.project, b.project) ||
  byCodeUnit(a.file.path, b.file.path) ||
  a.file.start_line - b.file.start_line;
