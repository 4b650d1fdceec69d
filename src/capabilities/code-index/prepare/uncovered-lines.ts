import type { LineRange, ParsedFile } from "../../../core/parse/parse.ts";
import {
  type CodeChunk,
  type CodeSymbol,
  codeSymbol,
  fileSymbol,
  MAX_CHUNK_LINES,
  packageSymbol,
} from "./chunk.ts";
import { splitText } from "./split-text.ts";

/** Fewer lines join the chunk next to them. */
const MIN_OWN_LINES = 3;
/** Lines further away from a chunk do not join it. Python's style puts two blank lines between functions. */
const MAX_DISTANCE = 3;
/** A line of brackets has no words to find. */
const WORD = /[\p{L}\p{N}]/u;

interface ParsedLines {
  readonly path: string;
  readonly lines: readonly string[];
  readonly parsed: ParsedFile;
}

/** Adds the lines outside symbols (statements, fields, comments), so that every line but the header is in a chunk. */
export function coverAllLines(chunks: readonly CodeChunk[], file: ParsedLines): CodeChunk[] {
  const coverage = new LineCoverage(file);
  for (const chunk of chunks) coverage.add(chunk);
  return coverage.finish();
}

interface UncoveredLines extends LineRange {
  readonly linesWithWords: number;
}

class LineCoverage {
  readonly #file: ParsedLines;
  /** Header and licence lines, which belong to no chunk. */
  readonly #skipped: ReadonlySet<number>;
  readonly #classEnds: ReadonlySet<number>;
  readonly #chunks: CodeChunk[] = [];
  /** Position in `#chunks` of the chunk that ends furthest down. */
  #lowest = -1;
  /** The first line that no chunk covers yet. */
  #next = 1;

  constructor(file: ParsedLines) {
    const { header, notices, symbols } = file.parsed;
    this.#file = file;
    this.#skipped = new Set([...header, ...notices].flatMap(lineNumbers));
    this.#classEnds = new Set(symbols.filter((symbol) => symbol.hasMembers).map(({ endLine }) => endLine));
  }

  add(chunk: CodeChunk): void {
    this.#closeClasses(chunk.startLine - 1);
    const widened = this.#coverTo(chunk.startLine - 1, chunk) ?? chunk;
    this.#chunks.push(widened);
    if (widened.endLine < this.#next) return;
    this.#next = widened.endLine + 1;
    this.#lowest = this.#chunks.length - 1;
  }

  finish(): CodeChunk[] {
    this.#closeClasses(this.#file.lines.length);
    this.#coverTo(this.#file.lines.length, undefined);
    return this.#chunks;
  }

  /** Lines inside a class do not join lines after it. */
  #closeClasses(to: number): void {
    for (let line = this.#next; line <= to; line++) {
      if (!this.#classEnds.has(line)) continue;
      this.#coverTo(line, undefined);
      this.#next = line + 1;
      this.#lowest = -1;
    }
  }

  /** Puts the uncovered lines up to `to` into chunks of their own, the chunk before, or `after`, which is then returned. */
  #coverTo(to: number, after: CodeChunk | undefined): CodeChunk | undefined {
    if (this.#next === 1 && this.#isAboutFile()) {
      this.#addOwnChunks({ startLine: 1, endLine: to });
      return undefined;
    }
    const uncovered = this.#uncoveredTo(to);
    if (uncovered === undefined) return undefined;
    const before = this.#chunks[this.#lowest];
    const above = before && joinDistance(before, uncovered);
    const below = after && joinDistance(uncovered, after);
    if (uncovered.linesWithWords >= MIN_OWN_LINES || (above ?? below) === undefined) {
      this.#addOwnChunks(uncovered);
      return undefined;
    }
    if (after && below !== undefined && below <= (above ?? below))
      return { ...after, startLine: uncovered.startLine };
    if (before) this.#chunks[this.#lowest] = { ...before, endLine: uncovered.endLine };
    return undefined;
  }

  /** Whether the first lines are the file's own comment, or the file has no symbols. */
  #isAboutFile(): boolean {
    const { doc, symbols } = this.#file.parsed;
    return doc !== "" || symbols.length === 0;
  }

  #uncoveredTo(to: number): UncoveredLines | undefined {
    let startLine = 0;
    let endLine = 0;
    let linesWithWords = 0;
    for (let line = this.#next; line <= to; line++) {
      const text = this.#file.lines[line - 1] ?? "";
      if (this.#skipped.has(line) || text.trim() === "") continue;
      if (WORD.test(text)) {
        linesWithWords++;
        startLine ||= line;
      }
      endLine = line;
    }
    return startLine === 0 ? undefined : { startLine, endLine, linesWithWords };
  }

  #addOwnChunks(range: LineRange): void {
    for (const piece of splitText(this.#file.lines, range)) {
      this.#chunks.push({ ...piece, symbols: [this.#symbolFor(piece)] });
    }
  }

  #symbolFor(piece: LineRange): CodeSymbol {
    const { path, parsed } = this.#file;
    const isTop = this.#next === 1 && this.#isAboutFile();
    if (isTop && parsed.packageName !== undefined) return packageSymbol(parsed, piece);
    if (isTop) return fileSymbol(path, piece, parsed.doc);
    const holder = parsed.symbols.findLast(
      ({ hasMembers, startLine, endLine }) =>
        hasMembers && startLine <= piece.startLine && endLine >= piece.endLine,
    );
    return holder ? codeSymbol(holder) : fileSymbol(path, piece);
  }
}

/** The lines between two ranges; `undefined` if they cannot be one chunk. */
function joinDistance(upper: LineRange, lower: LineRange): number | undefined {
  const distance = lower.startLine - upper.endLine;
  const canJoin = distance <= MAX_DISTANCE && lower.endLine - upper.startLine < MAX_CHUNK_LINES;
  return canJoin ? distance : undefined;
}

const lineNumbers = ({ startLine, endLine }: LineRange) =>
  Array.from({ length: endLine - startLine + 1 }, (_, at) => startLine + at);
