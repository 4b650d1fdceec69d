import type { Citation, PackItemKind } from "../item.ts";

/** The share of the shorter text's three-word runs that the other text must contain. */
const ALIKE = 0.85;
/** With fewer runs the texts are too short to compare. */
const LEAST_RUNS = 8;

interface DuplicateCandidate {
  readonly id: string;
  readonly kind: PackItemKind;
  readonly text: string;
  readonly citation: Citation | undefined;
}

/** The ids of candidates that repeat an earlier one. */
export function findNearDuplicates(candidates: readonly DuplicateCandidate[]): ReadonlySet<string> {
  const citations = new KeptCitations();
  const texts = new KeptTexts(candidates.length);
  const duplicates = new Set<string>();
  for (const candidate of candidates) {
    const runs = runsOf(candidate.text);
    if (citations.contain(candidate) || texts.contain(runs)) {
      duplicates.add(candidate.id);
      continue;
    }
    citations.add(candidate);
    texts.add(runs);
  }
  return duplicates;
}

/** Grouped by path: a git range may have thousands of files, and only quotes of the same file can overlap. */
class KeptCitations {
  readonly #byPath = new Map<string, DuplicateCandidate[]>();

  contain(candidate: DuplicateCandidate): boolean {
    const kept = this.#byPath.get(candidate.citation?.path ?? "") ?? [];
    return kept.some((other) => isOverlapping(candidate, other));
  }

  add(candidate: DuplicateCandidate): void {
    if (candidate.citation === undefined) return;
    const kept = this.#byPath.get(candidate.citation.path) ?? [];
    kept.push(candidate);
    this.#byPath.set(candidate.citation.path, kept);
  }
}

/** Two quotes of one file that share most lines of the shorter one; a change and the symbol it touches stay separate. */
function isOverlapping(
  { kind, citation: a }: DuplicateCandidate,
  { kind: otherKind, citation: b }: DuplicateCandidate,
): boolean {
  if (kind !== otherKind || a === undefined || b === undefined) return false;
  const shared = Math.min(a.end, b.end) - Math.max(a.start, b.start) + 1;
  return shared > 0.5 * (Math.min(a.end - a.start, b.end - b.start) + 1);
}

class KeptTexts {
  readonly #sizes: number[] = [];
  /** Which texts contain a run: texts that share nothing are never compared. */
  readonly #holders = new Map<number, number[]>();
  /** How many runs each kept text shares with the current one. */
  readonly #shared: Uint32Array;

  constructor(most: number) {
    this.#shared = new Uint32Array(most);
  }

  contain(runs: ReadonlySet<number>): boolean {
    if (runs.size < LEAST_RUNS) return false;
    this.#shared.fill(0, 0, this.#sizes.length);
    for (const run of runs)
      for (const text of this.#holders.get(run) ?? []) this.#shared[text] = (this.#shared[text] ?? 0) + 1;
    return this.#sizes.some((size, text) => isAlike(runs.size, size, this.#shared[text] ?? 0));
  }

  add(runs: ReadonlySet<number>): void {
    if (runs.size < LEAST_RUNS) return;
    for (const run of runs) {
      const texts = this.#holders.get(run) ?? [];
      texts.push(this.#sizes.length);
      this.#holders.set(run, texts);
    }
    this.#sizes.push(runs.size);
  }
}

function isAlike(size: number, otherSize: number, shared: number): boolean {
  const [small, large] = [Math.min(size, otherSize), Math.max(size, otherSize)];
  return small >= large * 0.6 && shared / small >= ALIKE;
}

/** Each run of three words as a number; strings would be much slower. */
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
