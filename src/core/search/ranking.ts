import { byCodeUnit } from "../order.ts";

export interface RankedChunk {
  /** Global ordinal of the chunk. */
  readonly ordinal: number;
  readonly score: number;
}
/** Scores with the ordinals they belong to; without `ordinals` a score's place is its ordinal. */
export interface Candidates {
  readonly ordinals?: Uint32Array;
  readonly scores: Float32Array | Float64Array;
}

/**
 * The `count` best of those above `floor`, best first; equal scores by chunk id, so that the order never depends on
 * where a chunk happens to be stored.
 */
export function topOf(
  { ordinals, scores }: Candidates,
  count: number,
  idOf: (ordinal: number) => string,
  floor = 0,
): RankedChunk[] {
  if (count < 1) return [];
  const { places, threshold } = contenders(scores, count, floor);
  const above: RankedChunk[] = [];
  const last: number[] = [];
  for (const place of places) {
    const score = scores[place] ?? 0;
    const ordinal = ordinals?.[place] ?? place;
    if (score > threshold) above.push({ ordinal, score });
    else if (score === threshold) last.push(ordinal);
  }
  above.sort((a, b) => b.score - a.score || byCodeUnit(idOf(a.ordinal), idOf(b.ordinal)));
  return [
    ...above,
    ...firstById(last, count - above.length, idOf).map((ordinal) => ({ ordinal, score: threshold })),
  ];
}

/** Rank by ordinal, from 1. */
export function ranksOf(ranked: readonly RankedChunk[]): Map<number, number> {
  const ranks = new Map<number, number>();
  for (const { ordinal } of ranked) ranks.set(ordinal, ranks.size + 1);
  return ranks;
}

/** A query without a word the model knows is as near to every chunk: each id is made once, not at every comparison. */
function firstById(ordinals: readonly number[], count: number, idOf: (ordinal: number) => string): number[] {
  const named = ordinals.map((ordinal) => ({ ordinal, id: idOf(ordinal) }));
  named.sort((a, b) => byCodeUnit(a.id, b.id));
  return named.slice(0, count).map(({ ordinal }) => ordinal);
}

/**
 * The score of the last one that makes it, found with a heap of `count` numbers, and the places that were not below it when
 * they were seen: a few times `count`, so that all scores are looked at only once.
 */
function contenders(scores: Float32Array | Float64Array, count: number, floor: number) {
  const heap = new Float64Array(Math.min(count, scores.length));
  const places: number[] = [];
  let size = 0;
  let least = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at] ?? 0;
    if (!(score >= least && score > floor)) continue;
    places.push(at);
    if (size < count) {
      heap[size] = score;
      siftUp(heap, size++);
    } else {
      heap[0] = score;
      siftDown(heap, size);
    }
    if (size === count) least = heap[0] ?? 0;
  }
  return { places, threshold: size < count ? Number.NEGATIVE_INFINITY : least };
}

function siftUp(heap: Float64Array, start: number): void {
  let at = start;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if ((heap[parent] ?? 0) <= (heap[at] ?? 0)) return;
    swap(heap, at, parent);
    at = parent;
  }
}

function siftDown(heap: Float64Array, size: number): void {
  let at = 0;
  for (;;) {
    const left = at * 2 + 1;
    if (left >= size) return;
    const least = left + 1 < size && (heap[left + 1] ?? 0) < (heap[left] ?? 0) ? left + 1 : left;
    if ((heap[at] ?? 0) <= (heap[least] ?? 0)) return;
    swap(heap, at, least);
    at = least;
  }
}

function swap(heap: Float64Array, a: number, b: number): void {
  const held = heap[a] ?? 0;
  heap[a] = heap[b] ?? 0;
  heap[b] = held;
}

/** The nearest scores that do not rise along the list, each in [0, 1] (pool adjacent violators). */
export function nonIncreasing(scores: readonly number[]): number[] {
  const pools: { sum: number; count: number }[] = [];
  for (const score of scores) {
    pools.push({ sum: Math.min(1, Math.max(0, score)), count: 1 });
    for (;;) {
      const last = pools.at(-1);
      const before = pools.at(-2);
      if (!last || !before || before.sum / before.count >= last.sum / last.count) break;
      pools.splice(-2, 2, { sum: before.sum + last.sum, count: before.count + last.count });
    }
  }
  return pools.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count));
}
