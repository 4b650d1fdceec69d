import type { Citation, Kind } from "./item.ts";

/** Splits texts into runs of three words and tells how much of the smaller one stands in the other. */
const ALIKE = 0.85;

interface Candidate {
  readonly id: string;
  readonly kind: Kind;
  readonly text: string;
  readonly citation: Citation | undefined;
}

/** For each text that says what an earlier one already says: the id of that earlier one. */
export function findNearDuplicates(candidates: readonly Candidate[]): ReadonlyMap<string, string> {
  const kept: { readonly candidate: Candidate; readonly size: number }[] = [];
  /** Which of the kept have a run: no text is compared with one it shares nothing with. */
  const holders = new Map<number, number[]>();
  const duplicates = new Map<string, string>();
  for (const candidate of candidates) {
    const runs = runsOf(candidate.text);
    const shared = new Map<number, number>();
    for (const run of runs)
      for (const place of holders.get(run) ?? []) shared.set(place, (shared.get(place) ?? 0) + 1);
    const earlier = kept.find(
      (other, place) =>
        isSamePlace(candidate, other.candidate) || isAlike(runs.size, other.size, shared.get(place) ?? 0),
    );
    if (earlier) {
      duplicates.set(candidate.id, earlier.candidate.id);
      continue;
    }
    for (const run of runs) {
      const places = holders.get(run) ?? [];
      places.push(kept.length);
      holders.set(run, places);
    }
    kept.push({ candidate, size: runs.size });
  }
  return duplicates;
}

/** Two quotes of one file that share most lines of the shorter; a change and the symbol it touches are two things. */
function isSamePlace({ kind, citation: a }: Candidate, { kind: otherKind, citation: b }: Candidate): boolean {
  if (kind !== otherKind || a === undefined || b === undefined || a.path !== b.path) return false;
  const shared = Math.min(a.end, b.end) - Math.max(a.start, b.start) + 1;
  return shared > 0.5 * (Math.min(a.end - a.start, b.end - b.start) + 1);
}

/** Each run of three words as a number: strings would be most of the work. */
function runsOf(text: string): ReadonlySet<number> {
  const words = (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).map(numberOf);
  const runs = new Set<number>();
  for (let index = 2; index < words.length; index++)
    runs.add(mixed(mixed(words[index - 2] ?? 0, words[index - 1] ?? 0), words[index] ?? 0));
  return runs;
}

function numberOf(word: string): number {
  let number = 0;
  for (let index = 0; index < word.length; index++) number = mixed(number, word.charCodeAt(index));
  return number;
}

const mixed = (a: number, b: number): number => (Math.imul(a, 0x9e3779b1) ^ b) | 0;

function isAlike(size: number, otherSize: number, shared: number): boolean {
  const [small, large] = [Math.min(size, otherSize), Math.max(size, otherSize)];
  // Too little text to say that two things are the same thing.
  return small >= 8 && small >= large * 0.6 && shared / small >= ALIKE;
}
