import { z } from "zod";
import { byCodeUnit } from "../../../core/order.ts";

/** A hit of the code index: what the merge reads of it. The rest stays as it is. */
export const MergedHit = z.looseObject({
  project: z.string(),
  commit: z.string(),
  rank: z.int(),
  relevance_score: z.number(),
  symbol: z.looseObject({ name: z.string() }),
  file: z.looseObject({ path: z.string(), start_line: z.int() }),
});
export type MergedHit = z.output<typeof MergedHit>;

/** What a project could find at most. */
export interface ProjectBound {
  /** No hit has a higher relevance. */
  readonly most: number;
  readonly total: number | undefined;
  /** Whether its index has exactly the name that is asked for. */
  readonly hasName: boolean;
}
/** A relevance is rounded when it is shown. */
const ROUNDING = 0.0001;

interface MergedScore {
  readonly hit: MergedHit;
  readonly score: number;
}

/**
 * The best hits of many projects. Relevance says how much of the query a hit has, so it is compared as it is; a symbol with
 * the asked name, in the same case, comes before all others. Of equal hits, the better in its project is first.
 */
export class MergedHits {
  readonly #asked: string;
  readonly #limit: number;
  #best: MergedScore[] = [];

  constructor(query: string, limit: number) {
    this.#asked = query.trim();
    this.#limit = limit;
  }

  /** Whether a hit of this project could still be among the best. */
  mayTake(project: string, upperBound: ProjectBound): boolean {
    const last = this.#best.at(-1);
    if (!last || this.#best.length < this.#limit) return true;
    const score = mostOf(upperBound);
    if (score !== last.score) return score > last.score;
    return last.hit.rank > 1 || byCodeUnit(project, last.hit.project) < 0;
  }

  /** The least relevance that a hit of this project must have to be among the best. */
  leastRelevance({ hasName }: ProjectBound): number {
    const last = this.#best.at(-1);
    if (!last || this.#best.length < this.#limit) return 0;
    return Math.max(0, last.score - (hasName ? 1 : 0) - ROUNDING);
  }

  add(hits: readonly MergedHit[], { hasName }: ProjectBound): void {
    const scored = hits.map((hit) => {
      const isExact = hasName && hit.symbol.name === this.#asked;
      return { hit, score: (isExact ? 1 : 0) + hit.relevance_score };
    });
    this.#best = [...this.#best, ...scored].sort(inOrder).slice(0, this.#limit);
  }

  best(): MergedHit[] {
    return this.#best.map(({ hit }, place) => ({ ...hit, rank: place + 1 }));
  }
}

const inOrder = (a: MergedScore, b: MergedScore) =>
  b.score - a.score ||
  a.hit.rank - b.hit.rank ||
  byCodeUnit(a.hit.project, b.hit.project) ||
  byCodeUnit(a.hit.file.path, b.hit.file.path) ||
  a.hit.file.start_line - b.hit.file.start_line;

/** The highest score that a hit of the project could have; relevance is rounded in the same way. */
export const mostOf = ({ most, hasName }: ProjectBound): number =>
  (hasName ? 1 : 0) + Math.round(most * 10_000) / 10_000;
