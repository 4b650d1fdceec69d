import type { LineRange, ParsedFile } from "../../../core/parse/parse.ts";
import { fileSymbol, type OutlinedChunk, outlined, packageSymbol } from "./chunk.ts";
import { plainPieces } from "./split-text.ts";
import { LONG_LINES } from "./symbol-chunks.ts";

/** Fewer lines are found with the chunk next to them. */
const MIN_OWN_LINES = 3;
/** A chunk further away has nothing to do with them; Python's style puts two blank lines between. */
const MAX_DISTANCE = 3;
/** A line of brackets says nothing. */
const WORD = /[\p{L}\p{N}]/u;

interface ParsedLines {
  readonly path: string;
  readonly lines: readonly string[];
  readonly parsed: ParsedFile;
}

/** Statements, fields and remarks that are no symbols: each such line comes into a chunk, the header alone is left out. */
export function withLooseLines(chunks: readonly OutlinedChunk[], file: ParsedLines): OutlinedChunk[] {
  const loose = new LooseLines(file);
  for (const chunk of chunks) loose.pass(chunk);
  return loose.finish();
}

interface Run extends LineRange {
  readonly tellingLines: number;
}

class LooseLines {
  readonly #file: ParsedLines;
  readonly #silent: ReadonlySet<number>;
  readonly #holderEnds: ReadonlySet<number>;
  readonly #found: OutlinedChunk[] = [];
  /** Where in `#found` the chunk stands that reaches furthest down. */
  #lowest = -1;
  #next = 1;

  constructor(file: ParsedLines) {
    const { header, notices, symbols } = file.parsed;
    this.#file = file;
    this.#silent = new Set([...header, ...notices].flatMap(numbersOf));
    this.#holderEnds = new Set(symbols.filter((symbol) => symbol.hasMembers).map(({ endLine }) => endLine));
  }

  pass(chunk: OutlinedChunk): void {
    this.#leaveHolders(chunk.startLine - 1);
    const widened = this.#place(chunk.startLine - 1, chunk) ?? chunk;
    this.#found.push(widened);
    if (widened.endLine < this.#next) return;
    this.#next = widened.endLine + 1;
    this.#lowest = this.#found.length - 1;
  }

  finish(): OutlinedChunk[] {
    this.#leaveHolders(this.#file.lines.length);
    this.#place(this.#file.lines.length, undefined);
    return this.#found;
  }

  /** What stands inside a class is not joined with what comes after it. */
  #leaveHolders(to: number): void {
    for (let line = this.#next; line <= to; line++) {
      if (!this.#holderEnds.has(line)) continue;
      this.#place(line, undefined);
      this.#next = line + 1;
      this.#lowest = -1;
    }
  }

  /** Puts what is loose up to `to` in a chunk: of its own, the one before it, or the one after it, which is then returned. */
  #place(to: number, after: OutlinedChunk | undefined): OutlinedChunk | undefined {
    if (this.#next === 1 && this.#isAboutFile()) {
      this.#keep({ startLine: 1, endLine: to });
      return undefined;
    }
    const run = this.#runUpTo(to);
    if (run === undefined) return undefined;
    const before = this.#found[this.#lowest];
    const above = before && this.#distance(before, run);
    const below = after && this.#distance(run, after);
    if (run.tellingLines >= MIN_OWN_LINES || (above ?? below) === undefined) {
      this.#keep(run);
      return undefined;
    }
    if (after && below !== undefined && below <= (above ?? below))
      return { ...after, startLine: run.startLine };
    if (before) this.#found[this.#lowest] = { ...before, endLine: run.endLine };
    return undefined;
  }

  /** The comment at the top, or all of a file without symbols. */
  #isAboutFile(): boolean {
    const { doc, symbols } = this.#file.parsed;
    return doc !== "" || symbols.length === 0;
  }

  #runUpTo(to: number): Run | undefined {
    let startLine = 0;
    let endLine = 0;
    let tellingLines = 0;
    for (let line = this.#next; line <= to; line++) {
      const text = this.#file.lines[line - 1] ?? "";
      if (this.#silent.has(line) || text.trim() === "") continue;
      if (WORD.test(text)) {
        tellingLines++;
        startLine ||= line;
      }
      endLine = line;
    }
    return startLine === 0 ? undefined : { startLine, endLine, tellingLines };
  }

  /** How far apart two runs of lines are; `undefined` where they cannot be one chunk. */
  #distance(upper: LineRange, lower: LineRange): number | undefined {
    const distance = lower.startLine - upper.endLine;
    const isJoinable = distance <= MAX_DISTANCE && lower.endLine - upper.startLine < LONG_LINES;
    return isJoinable ? distance : undefined;
  }

  #keep(run: LineRange): void {
    for (const piece of plainPieces(this.#file.lines, run)) {
      this.#found.push({ ...piece, symbols: [this.#symbolFor(piece)] });
    }
  }

  #symbolFor(piece: LineRange) {
    const { path, parsed } = this.#file;
    const isTop = this.#next === 1 && this.#isAboutFile();
    if (isTop && parsed.packageName !== undefined) return packageSymbol(parsed, piece);
    if (isTop) return fileSymbol(path, piece, parsed.doc);
    const holder = parsed.symbols.findLast(
      ({ hasMembers, startLine, endLine }) =>
        hasMembers && startLine <= piece.startLine && endLine >= piece.endLine,
    );
    return holder ? outlined(holder) : fileSymbol(path, piece);
  }
}

const numbersOf = ({ startLine, endLine }: LineRange) =>
  Array.from({ length: endLine - startLine + 1 }, (_, at) => startLine + at);
