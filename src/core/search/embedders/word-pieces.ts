const MAX_WORD = 100;

/** BERT's vocabulary: cuts lower-case words into the longest pieces it knows. */
export class WordPieces {
  readonly #pieces: ReadonlyMap<string, number>;
  readonly unknown: number;

  constructor(vocabulary: string) {
    const pieces = new Map<string, number>();
    // Every process that searches does this first: a list of all lines would take three times as long.
    for (let at = 0, number = 0; at < vocabulary.length; number++) {
      const end = vocabulary.indexOf("\n", at);
      pieces.set(vocabulary.slice(at, end < 0 ? vocabulary.length : end), number);
      at = end < 0 ? vocabulary.length : end + 1;
    }
    this.#pieces = pieces;
    this.unknown = pieces.get("[UNK]") ?? 100;
  }

  get size(): number {
    return this.#pieces.size;
  }

  /** The numbers of a word's pieces; none where some part of it is in no piece. */
  ofWord(word: string): number[] {
    if (word.length > MAX_WORD) return [];
    const numbers: number[] = [];
    for (let start = 0; start < word.length; ) {
      let end = word.length;
      let number: number | undefined;
      for (; end > start; end--) {
        number = this.#pieces.get(start === 0 ? word.slice(0, end) : `##${word.slice(start, end)}`);
        if (number !== undefined) break;
      }
      if (number === undefined) return [];
      numbers.push(number);
      start = end;
    }
    return numbers;
  }

  /** A text as BERT reads it: lower case, no accents, punctuation and ideographs each alone, between [CLS] and [SEP]. */
  ofText(text: string, limit: number): number[] {
    const numbers: number[] = [];
    const plain = text
      .normalize("NFD")
      .replace(/\p{Mn}+/gu, "")
      .replace(/[\p{Cc}\p{Cf}]/gu, " ")
      .toLowerCase();
    for (const [word] of plain.matchAll(WORDS)) {
      const pieces = this.ofWord(word);
      numbers.push(...(pieces.length > 0 ? pieces : [this.unknown]));
      if (numbers.length >= limit - 2) break;
    }
    return [this.#special("[CLS]"), ...numbers.slice(0, limit - 2), this.#special("[SEP]")];
  }

  #special(name: string): number {
    return this.#pieces.get(name) ?? this.unknown;
  }
}

const WORDS = /[\p{P}$+<=>^`|~]|\p{Script=Han}|[^\s\p{P}$+<=>^`|~\p{Script=Han}]+/gu;
