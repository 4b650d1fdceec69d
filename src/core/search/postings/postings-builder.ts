import { forEachWord, termsOf } from "../text/terms.ts";
import { type EncodedPostings, encodePostings, type Posting, type TermList } from "./postings.ts";

/** Where in a chunk a word stands. Body words are counted, the others only noted. */
export const FIELD = { title: 1, doc: 2, path: 4 } as const;
export const BODY_SHIFT = 3;
const MAX_BODY_COUNT = 31;
const MAX_LENGTH = 65_535;

/**
 * Collects the terms of a batch of chunks. All work per occurrence is on integers: a word is cut into terms once per
 * batch, and the postings are brought into order by one counting sort at the end.
 */
export class PostingsBuilder {
  readonly #termNumbers = new Map<string, number>();
  readonly #terms: string[] = [];
  readonly #words = new Map<string, readonly number[]>();
  readonly #lengths: number[] = [];
  #marks = new Uint8Array(1 << 12);
  #touched: number[] = [];
  #entryTerms = new Uint32Array(1 << 14);
  #entryPostings = new Uint32Array(1 << 14);
  #entries = 0;
  #length = 0;

  /** Adds the words of one field of the current chunk. */
  field(text: string, bit: number): void {
    forEachWord(text, (word) => {
      this.#length++;
      for (const number of this.#numbersOf(word)) this.#mark(number, bit);
    });
  }

  body(text: string): void {
    forEachWord(text, (word) => {
      this.#length++;
      for (const number of this.#numbersOf(word)) this.#count(number);
    });
  }

  /** A term as it is, such as the exact name. */
  term(term: string, bit: number): void {
    this.#mark(this.#numberOf(term), bit);
  }

  endChunk(): void {
    const ordinal = this.#lengths.length;
    this.#lengths.push(Math.min(MAX_LENGTH, this.#length));
    this.#reserve(this.#touched.length);
    for (const number of this.#touched) {
      this.#entryTerms[this.#entries] = number;
      this.#entryPostings[this.#entries++] = (ordinal << 8) | (this.#marks[number] ?? 0);
      this.#marks[number] = 0;
    }
    this.#touched = [];
    this.#length = 0;
  }

  finish(): EncodedPostings & { readonly lengths: Uint16Array } {
    return { ...encodePostings(this.#sorted()), lengths: Uint16Array.from(this.#lengths) };
  }

  #sorted(): TermList[] {
    const ends = new Uint32Array(this.#terms.length + 1);
    for (let entry = 0; entry < this.#entries; entry++) {
      const next = (this.#entryTerms[entry] ?? 0) + 1;
      ends[next] = (ends[next] ?? 0) + 1;
    }
    for (let term = 1; term < ends.length; term++) ends[term] = (ends[term] ?? 0) + (ends[term - 1] ?? 0);
    const starts = ends.slice();
    const sorted = new Uint32Array(this.#entries);
    for (let entry = 0; entry < this.#entries; entry++) {
      const term = this.#entryTerms[entry] ?? 0;
      const at = starts[term] ?? 0;
      sorted[at] = this.#entryPostings[entry] ?? 0;
      starts[term] = at + 1;
    }
    return this.#terms.map((term, number) => ({
      term,
      postings: sorted.subarray(ends[number], ends[number + 1]) satisfies ArrayLike<Posting>,
    }));
  }

  #numbersOf(word: string): readonly number[] {
    const known = this.#words.get(word);
    if (known) return known;
    const numbers = termsOf(word).map((term) => this.#numberOf(term));
    this.#words.set(word, numbers);
    return numbers;
  }

  #numberOf(term: string): number {
    const known = this.#termNumbers.get(term);
    if (known !== undefined) return known;
    const number = this.#terms.length;
    this.#terms.push(term);
    this.#termNumbers.set(term, number);
    if (number >= this.#marks.length)
      this.#marks = grown(this.#marks, new Uint8Array(this.#marks.length * 2));
    return number;
  }

  #mark(number: number, bit: number): void {
    const mark = this.#marks[number] ?? 0;
    if (mark === 0) this.#touched.push(number);
    this.#marks[number] = mark | bit;
  }

  #count(number: number): void {
    const mark = this.#marks[number] ?? 0;
    if (mark === 0) this.#touched.push(number);
    if (mark >> BODY_SHIFT < MAX_BODY_COUNT) this.#marks[number] = mark + (1 << BODY_SHIFT);
  }

  #reserve(count: number): void {
    if (this.#entries + count <= this.#entryTerms.length) return;
    const capacity = Math.max(this.#entryTerms.length * 2, this.#entries + count);
    this.#entryTerms = grown(this.#entryTerms, new Uint32Array(capacity));
    this.#entryPostings = grown(this.#entryPostings, new Uint32Array(capacity));
  }
}

function grown<T extends Uint8Array | Uint32Array>(old: T, next: T): T {
  next.set(old);
  return next;
}
