const MAX_WORD = 100;
/** So many pieces are looked for in the text of the vocabulary. To make a table first takes longer than a question. */
const SINGLE_PIECES = 100;

/** BERT's vocabulary: cuts lower-case words into the longest pieces it knows. */
export class WordPieces {
  readonly unknown: number;
  readonly size: number;
  /** One piece a line, each between two line ends. */
  readonly #lines: string;
  /** Where the line of each piece begins. */
  readonly #starts: Int32Array;
  #left = SINGLE_PIECES;
  #table: ReadonlyMap<string, number> | undefined;

  constructor(vocabulary: string) {
    const lines = `\n${vocabulary}${vocabulary.endsWith("\n") ? "" : "\n"}`;
    const starts = new Int32Array(Math.ceil(lines.length / 2));
    let size = 0;
    for (let at = 0; at < lines.length - 1; at = lines.indexOf("\n", at + 1)) starts[size++] = at;
    this.#lines = lines;
    this.#starts = starts.subarray(0, size);
    this.size = size;
    this.unknown = this.#numberOf("[UNK]") ?? 100;
  }

  /** The numbers of a word's pieces; none where some part of it is in no piece. */
  ofWord(word: string): number[] {
    if (word.length > MAX_WORD) return [];
    const numbers: number[] = [];
    for (let start = 0; start < word.length; ) {
      let end = word.length;
      let number: number | undefined;
      for (; end > start; end--) {
        number = this.#numberOf(start === 0 ? word.slice(0, end) : `##${word.slice(start, end)}`);
        if (number !== undefined) break;
      }
      if (number === undefined) return [];
      numbers.push(number);
      start = end;
    }
    return numbers;
  }

  #numberOf(piece: string): number | undefined {
    if (this.#left > 0) {
      this.#left--;
      const at = this.#lines.indexOf(`\n${piece}\n`);
      return at < 0 ? undefined : placeOf(at, this.#starts);
    }
    this.#table ??= tableOf(this.#lines, this.#starts);
    return this.#table.get(piece);
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
    return this.#numberOf(name) ?? this.unknown;
  }
}

const WORDS = /[\p{P}$+<=>^`|~]|\p{Script=Han}|[^\s\p{P}$+<=>^`|~\p{Script=Han}]+/gu;

/** The place of a number in a sorted list that has it. */
function placeOf(wanted: number, sorted: Int32Array): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

function tableOf(lines: string, starts: Int32Array): ReadonlyMap<string, number> {
  const table = new Map<string, number>();
  for (const [number, start] of starts.entries())
    table.set(lines.slice(start + 1, starts[number + 1] ?? lines.length - 1), number);
  return table;
}
