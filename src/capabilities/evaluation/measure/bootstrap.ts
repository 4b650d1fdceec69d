interface Interval {
  readonly mean: number;
  /** 95 % of the resampled means are between these. */
  readonly low: number;
  readonly high: number;
}

const SAMPLES = 2_000;

/** The mean with its interval, by resampling. The seed is fixed: the same values give the same interval. */
export function bootstrapMean(values: readonly number[]): Interval {
  return intervalOf(values.length, (picked) => meanOf(picked.map((at) => values[at] ?? 0)));
}

/** The mean of `a` over the mean of `b`, for values of the same tasks. All 0 if `b` is 0: then there is no ratio. */
export function bootstrapRatio(a: readonly number[], b: readonly number[]): Interval {
  return intervalOf(
    Math.min(a.length, b.length),
    (picked) => meanOf(picked.map((at) => a[at] ?? 0)) / meanOf(picked.map((at) => b[at] ?? 0)),
  );
}

/** The mean difference `a` minus `b` for values of the same tasks. Beyond chance if the interval is without 0. */
export const bootstrapDifference = (a: readonly number[], b: readonly number[]): Interval =>
  bootstrapMean(a.slice(0, b.length).map((value, at) => value - (b[at] ?? 0)));

/** A sample without a value, such as a division by 0, is left out. */
function intervalOf(count: number, statistic: (picked: readonly number[]) => number): Interval {
  const every = Array.from({ length: count }, (_, at) => at);
  const mean = count === 0 ? 0 : statistic(every);
  if (count === 0 || !Number.isFinite(mean)) return { mean: 0, low: 0, high: 0 };
  const random = seededRandom();
  const samples = Array.from({ length: SAMPLES }, () =>
    statistic(every.map(() => Math.floor(random() * count))),
  )
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  return {
    mean,
    low: samples[Math.floor(samples.length * 0.025)] ?? 0,
    high: samples[Math.floor(samples.length * 0.975)] ?? 0,
  };
}

export const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** A small generator with a fixed seed (mulberry32). */
function seededRandom(): () => number {
  let state = 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
