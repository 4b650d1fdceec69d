/** A list of postings as it counts for one term: `ordinal << 8 | mark`, with the ordinals beginning at `base`. */
interface ScoredList {
  readonly postings: Uint32Array;
  readonly base: number;
  /** The most one occurrence can give. */
  readonly factor: number;
}
export interface ScoredGroup {
  /** From 1, rising; what tells this group from the one before. */
  readonly number: number;
  /** Noted for each chunk the group is found in. */
  readonly bit: number;
}

const NO_GROUP = 255;

/** What every chunk has scored so far. Keeps its arrays from one query to the next and clears only what was touched. */
export class ScoreBoard {
  /** What each mark of a posting is worth, as a weighted count of the term. */
  readonly #weights: Float32Array;
  #scores = new Float32Array(0);
  /** What the current group has given a chunk so far, and which group that was. */
  #best = new Float32Array(0);
  #group = new Uint8Array(0);
  #found = new Uint32Array(0);
  #touched = new Uint32Array(0);
  #touchedCount = 0;

  constructor(weights: Float32Array) {
    this.#weights = weights;
  }

  /** The chunks that have scored, in no order. */
  get touched(): Uint32Array {
    return this.#touched.subarray(0, this.#touchedCount);
  }
  /** For each chunk the bits of the groups found in it. */
  get found(): Uint32Array {
    return this.#found;
  }
  score(ordinal: number): number {
    return this.#scores[ordinal] ?? 0;
  }

  start(size: number): void {
    if (this.#scores.length === size) {
      for (let at = 0; at < this.#touchedCount; at++) this.#forget(this.#touched[at] ?? 0);
    } else {
      this.#scores = new Float32Array(size);
      this.#best = new Float32Array(size);
      this.#group = new Uint8Array(size);
      this.#found = new Uint32Array(size);
      this.#touched = new Uint32Array(size);
    }
    this.#touchedCount = 0;
  }

  #forget(ordinal: number): void {
    this.#scores[ordinal] = 0;
    this.#group[ordinal] = 0;
    this.#found[ordinal] = 0;
  }

  /** Adds a term's list: of all the terms of a group the best counts. The inner loop of every search. */
  add(
    { postings, base, factor }: ScoredList,
    { number, bit }: ScoredGroup,
    { mask, norms }: { readonly mask: Uint8Array; readonly norms: Float32Array },
  ): void {
    for (let at = 0; at < postings.length; at++) {
      const posting = postings[at] ?? 0;
      const ordinal = base + (posting >>> 8);
      if (mask[ordinal] === 0) continue;
      const frequency = this.#weights[posting & 255] ?? 0;
      const score = (factor * frequency) / (frequency + (norms[ordinal] ?? 1));
      const last = this.#group[ordinal] ?? 0;
      if (last === 0) this.#touched[this.#touchedCount++] = ordinal;
      if (last !== number) {
        this.#group[ordinal] = number;
        this.#best[ordinal] = score;
        this.#scores[ordinal] = (this.#scores[ordinal] ?? 0) + score;
        this.#found[ordinal] = (this.#found[ordinal] ?? 0) | bit;
      } else if (score > (this.#best[ordinal] ?? 0)) {
        this.#scores[ordinal] = (this.#scores[ordinal] ?? 0) + score - (this.#best[ordinal] ?? 0);
        this.#best[ordinal] = score;
      }
    }
  }

  /** Counts a chunk as found though no group gave it anything; after the last group. */
  touch(ordinal: number): void {
    if (this.#group[ordinal] !== 0) return;
    this.#group[ordinal] = NO_GROUP;
    this.#touched[this.#touchedCount++] = ordinal;
  }
}
