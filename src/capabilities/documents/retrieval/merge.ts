import { byCodeUnit } from "../../../core/order.ts";

/** A chunk found by keyword or by vector, with the score of that search. */
export interface ChunkCandidate {
  readonly chunkId: string;
  readonly documentId: string;
  readonly raw: number;
}
export interface RankedDocument {
  readonly documentId: string;
  /** The score of its best chunk, in [0, 1], relative to the other candidates. */
  readonly score: number;
  readonly chunkId: string;
  readonly keywordScore: number;
  readonly semanticScore: number;
}

/** Scales scores to [0, 1]; if all are equal, each is 1. */
export function normalise(scores: readonly number[]): number[] {
  const low = Math.min(...scores);
  const high = Math.max(...scores);
  return scores.map((score) => (high === low ? 1 : (score - low) / (high - low)));
}

/**
 * Ranks documents by their best chunk. The score of a chunk is (1 − alpha) × keyword + alpha × vector; a missing score
 * counts 0.
 */
export function merge(
  keyword: readonly ChunkCandidate[],
  vector: readonly ChunkCandidate[],
  alpha: number,
): RankedDocument[] {
  const chunks = new Map<string, RankedDocument>();
  const add = (list: readonly ChunkCandidate[], field: "keywordScore" | "semanticScore") => {
    const scores = normalise(list.map(({ raw }) => raw));
    for (const [index, { chunkId, documentId }] of list.entries()) {
      const known = chunks.get(chunkId) ?? {
        documentId,
        chunkId,
        score: 0,
        keywordScore: 0,
        semanticScore: 0,
      };
      chunks.set(chunkId, { ...known, [field]: scores[index] ?? 0 });
    }
  };
  add(keyword, "keywordScore");
  add(vector, "semanticScore");
  const best = new Map<string, RankedDocument>();
  for (const chunk of chunks.values()) {
    const scored = { ...chunk, score: (1 - alpha) * chunk.keywordScore + alpha * chunk.semanticScore };
    const known = best.get(scored.documentId);
    if (known === undefined || compareChunks(scored, known) < 0) best.set(scored.documentId, scored);
  }
  return [...best.values()].sort((a, b) => b.score - a.score || byCodeUnit(a.documentId, b.documentId));
}

/** The first `limit` documents; on equal scores the newer comes first. Times are read only for documents that may be among them. */
export function firstOf(
  ranked: readonly RankedDocument[],
  limit: number,
  updatedAt: (documentId: string) => number,
): RankedDocument[] {
  const least = ranked[Math.min(limit, ranked.length) - 1]?.score ?? 0;
  return ranked
    .filter(({ score }) => score >= least)
    .map((hit) => ({ hit, time: updatedAt(hit.documentId) }))
    .sort(
      (a, b) =>
        b.hit.score - a.hit.score || b.time - a.time || byCodeUnit(a.hit.documentId, b.hit.documentId),
    )
    .slice(0, limit)
    .map(({ hit }) => hit);
}

const compareChunks = (a: RankedDocument, b: RankedDocument) =>
  b.score - a.score || b.keywordScore - a.keywordScore || byCodeUnit(a.chunkId, b.chunkId);
