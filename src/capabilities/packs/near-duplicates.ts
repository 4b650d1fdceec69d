/** Splits texts into runs of three words and tells how much of the smaller one stands in the other. */
const RUN = 3;
const ALIKE = 0.85;

interface Candidate {
  readonly id: string;
  readonly text: string;
}

/** For each text that says what an earlier one already says: the id of that earlier one. */
export function findNearDuplicates(candidates: readonly Candidate[]): ReadonlyMap<string, string> {
  const kept: { id: string; runs: ReadonlySet<string> }[] = [];
  const duplicates = new Map<string, string>();
  for (const { id, text } of candidates) {
    const runs = runsOf(text);
    const earlier = kept.find((other) => isAlike(runs, other.runs));
    if (earlier) duplicates.set(id, earlier.id);
    else kept.push({ id, runs });
  }
  return duplicates;
}

function runsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  const runs = new Set<string>();
  for (let index = 0; index + RUN <= words.length; index++)
    runs.add(words.slice(index, index + RUN).join(" "));
  return runs;
}

function isAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  // Too little text to say that two things are the same thing.
  if (small.size < 8 || small.size < large.size * 0.6) return false;
  let shared = 0;
  for (const run of small) if (large.has(run)) shared++;
  return shared / small.size >= ALIKE;
}
