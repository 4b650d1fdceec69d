import type { SearchHit } from "../../capabilities/code-index/index.ts";
import { fileRoleOf } from "../../capabilities/packs/index.ts";
import { isProse } from "./text-files.ts";

export interface ScoredHit {
  readonly hit: SearchHit;
  readonly score: number;
}

/** At this rank a hit counts half as much as the first. */
const HALF_RANK = 30;
/** How much the file of a hit counts: an edit is often in several functions of the file that is found most. */
const FILE_SHARE = 0.6;

/**
 * By rank, because the relevance of later hits says how sure the search is, not how they compare; and by how much was found
 * in the same file, compared with the source file that has most.
 */
export function scoreHits(hits: readonly SearchHit[]): ScoredHit[] {
  const best = hits[0]?.relevance_score ?? 0;
  const byRank = hits.map((hit) => ({ hit, score: best / (1 + (hit.rank - 1) / HALF_RANK) }));
  const files = new Map<string, number>();
  for (const { hit, score } of byRank) files.set(hit.file.path, (files.get(hit.file.path) ?? 0) + score);
  const most = Math.max(0, ...[...files].filter(([path]) => isSource(path)).map(([, sum]) => sum));
  return byRank.map(({ hit, score }) => {
    const found = most === 0 ? 1 : Math.min(1, (files.get(hit.file.path) ?? 0) / most);
    return { hit, score: score * (1 - FILE_SHARE + FILE_SHARE * Math.sqrt(found)) };
  });
}

const isSource = (path: string): boolean => fileRoleOf(path) === "source" && !isProse(path);
