export interface Metrics {
  readonly mrr: number;
  readonly hit1: number;
  readonly hit5: number;
  readonly hit10: number;
}

/** From the rank of each answer, 0 where it was not among the first ten. */
export function metricsOf(ranks: readonly number[]): Metrics {
  const mean = (value: (rank: number) => number) =>
    ranks.reduce((sum, rank) => sum + value(rank), 0) / Math.max(1, ranks.length);
  return {
    mrr: mean((rank) => (rank > 0 ? 1 / rank : 0)),
    hit1: mean((rank) => (rank === 1 ? 1 : 0)),
    hit5: mean((rank) => (rank > 0 && rank <= 5 ? 1 : 0)),
    hit10: mean((rank) => (rank > 0 ? 1 : 0)),
  };
}
