import type { Citation, Kind } from "./item.ts";

/** Splits texts into runs of three words and tells how much of the smaller one stands in the other. */
const RUN = 3;
const ALIKE = 0.85;

interface Candidate {
  readonly id: string;
  readonly kind: Kind;
  readonly text: string;
  readonly citation: Citation | undefined;
}

/** For each text that says what an earlier one already says: the id of that earlier one. */
export function findNearDuplicates(candidates: readonly Candidate[]): ReadonlyMap<string, string> {
  const kept: (Candidate & { readonly runs: ReadonlySet<string> })[] = [];
  const duplicates = new Map<string, string>();
  for (const candidate of candidates) {
    const runs = runsOf(candidate.text);
    const earlier = kept.find((other) => isSamePlace(candidate, other) || isAlike(runs, other.runs));
    if (earlier) duplicates.set(candidate.id, earlier.id);
    else kept.push({ ...candidate, runs });
  }
  return duplicates;
}

/** Two quotes of one file that share most lines of the shorter; a change and the symbol it touches are two things. */
function isSamePlace({ kind, citation: a }: Candidate, { kind: otherKind, citation: b }: Candidate): boolean {
  if (kind !== otherKind || a === undefined || b === undefined || a.path !== b.path) return false;
  const shared = Math.min(a.end, b.end) - Math.max(a.start, b.start) + 1;
  return shared > 0.5 * (Math.min(a.end - a.start, b.end - b.start) + 1);
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
