import { byCodeUnit } from "../../../core/order.ts";
import type { Entry } from "../store/entry-files.ts";
import { fold } from "./query.ts";

/**
 * Which lines hold which words, for finding terms as parts of words: the distinct words of all entries stand in one
 * text, so a term is looked for in that and not in the entries.
 */
export class LineIndex {
  /** By position; the folded text is kept for phrases. */
  readonly #entries: { readonly entry: Entry; readonly lower: string; readonly start: number }[] = [];
  /** Of each line: the position of its entry, where it begins and ends in the text, and whether it is a heading. */
  readonly #owners: number[] = [];
  readonly #begins: number[] = [];
  readonly #ends: number[] = [];
  readonly #headings: number[] = [];
  readonly #alive = new Map<string, number>();
  readonly #dead = new Set<number>();
  readonly #words = new Map<string, number>();
  readonly #postings: number[][] = [];
  #vocabulary = "\n";
  readonly #wordStarts: number[] = [];
  #runs: (readonly [number, number])[] | undefined;

  get isEmpty(): boolean {
    return this.#alive.size === 0;
  }

  /** Follows the entries as they are now; only what changed is read again. */
  update(entries: readonly Entry[]): void {
    const current = new Set(entries);
    for (const [path, position] of this.#alive) {
      const known = this.#entries[position];
      if (known !== undefined && current.has(known.entry)) continue;
      this.#dead.add(position);
      this.#alive.delete(path);
    }
    for (const entry of entries) if (!this.#alive.has(entry.path)) this.#add(entry);
    this.#runs = undefined;
  }

  /** True once so much is dead that a new index is cheaper than this one. */
  isWorn(): boolean {
    return this.#dead.size > 64 && this.#dead.size > this.#alive.size / 2;
  }

  /** For each line the bits of the terms that it holds, at most 32 of them. */
  masks(terms: readonly string[]): Uint32Array {
    const masks = new Uint32Array(this.#owners.length);
    for (const [index, term] of terms.entries()) {
      const bit = 2 ** index;
      for (const word of this.#wordsWith(term)) {
        const postings = this.#postings[word] ?? [];
        for (let at = 0; at < postings.length; at += 1) {
          const id = postings[at] ?? 0;
          masks[id] = (masks[id] ?? 0) | bit;
        }
      }
    }
    return masks;
  }

  /** The lines of each living entry, from the first to before the last number, in the order of the paths. */
  runs(): readonly (readonly [from: number, to: number])[] {
    this.#runs ??= [...this.#alive]
      .sort(([a], [b]) => byCodeUnit(a, b))
      .map(([, position]) => [
        this.#entries[position]?.start ?? 0,
        this.#entries[position + 1]?.start ?? this.#owners.length,
      ]);
    return this.#runs;
  }

  isHeading(id: number): boolean {
    return this.#headings[id] === 1;
  }

  /** Whether the line holds the phrase: folded words with single spaces between them. */
  hasPhrase(id: number, phrase: string): boolean {
    const lower = this.#entries[this.#owners[id] ?? -1]?.lower ?? "";
    return lower.slice(this.#begins[id], this.#ends[id]).includes(phrase);
  }

  line(id: number): { readonly entry: Entry; readonly number: number } | undefined {
    const known = this.#entries[this.#owners[id] ?? -1];
    return known === undefined ? undefined : { entry: known.entry, number: id - known.start + 1 };
  }

  #add(entry: Entry): void {
    const lower = fold(entry.text);
    const position = this.#entries.push({ entry, lower, start: this.#owners.length }) - 1;
    this.#alive.set(entry.path, position);
    let begin = 0;
    for (const line of lower.split("\n")) {
      const id = this.#owners.push(position) - 1;
      this.#begins.push(begin);
      this.#ends.push(begin + line.length);
      this.#headings.push(line.trimStart().startsWith("#") ? 1 : 0);
      begin += line.length + 1;
      for (const word of line.split(/\s+/)) {
        if (word === "") continue;
        const postings = this.#postings[this.#wordId(word)];
        if (postings !== undefined && postings.at(-1) !== id) postings.push(id);
      }
    }
  }

  #wordId(word: string): number {
    const before = this.#words.get(word);
    if (before !== undefined) return before;
    const id = this.#postings.push([]) - 1;
    this.#words.set(word, id);
    this.#wordStarts.push(this.#vocabulary.length);
    this.#vocabulary += `${word}\n`;
    return id;
  }

  #wordsWith(term: string): number[] {
    const words: number[] = [];
    let word = 0;
    for (let at = this.#vocabulary.indexOf(term); at !== -1; ) {
      // Matches come in the order of the words: one walk over their starts serves all.
      while ((this.#wordStarts[word + 1] ?? Number.POSITIVE_INFINITY) <= at) word += 1;
      words.push(word);
      at = this.#vocabulary.indexOf(term, this.#wordStarts[word + 1] ?? this.#vocabulary.length);
    }
    return words;
  }
}
