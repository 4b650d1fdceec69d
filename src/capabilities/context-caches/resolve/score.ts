/** Matches over words as a 32-bit float; 0 for a text without words. */
export const scoreOf = (matches: number, total: number): number =>
  total === 0 ? 0 : Math.fround(Math.fround(matches) / Math.fround(total));

/** The shortest decimal that reads back as the same 32-bit float, always with a fraction: 0.0, 0.33333334. */
export function scoreText(score: number): string {
  const text = String(shortest(score));
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** The double whose own shortest text is that of the 32-bit float, so that JSON says 0.33333334 and not 0.3333333432674408. */
export function shortest(score: number): number {
  const wanted = Math.fround(score);
  for (let digits = 1; digits < 9; digits += 1) {
    const candidate = Number(wanted.toPrecision(digits));
    if (Math.fround(candidate) === wanted) return candidate;
  }
  return Number(wanted.toPrecision(9));
}
