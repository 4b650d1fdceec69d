import type { LineRange, ParsedFile, ParsedSymbol } from "../../../core/parse/parse.ts";
import { type CodeChunk, codeSymbol, fileSymbol, MAX_CHUNK_LINES, symbolChunk } from "./chunk.ts";
import { addMembers, outlineMembers } from "./members.ts";
import { splitText } from "./split-text.ts";
import { coverAllLines } from "./uncovered-lines.ts";

interface ChunkedFile {
  readonly chunks: readonly CodeChunk[];
  readonly symbolCount: number;
  /** Package clause and imports, which a result shows above its content. */
  readonly header: LineRange;
}

const HEADER_LINES = 20;
const NO_HEADER: LineRange = { startLine: 1, endLine: 0 };
/** A class of fewer lines is one chunk with its members. */
const WHOLE_CLASS_LINES = 40;
const MAX_GROUP_LINES = 30;
/** Smaller values share a chunk: one line says little by itself, and thousands of such chunks crowd out the rest. */
const MAX_SMALL_LINES = 5;
const VALUE_KINDS = new Set(["const", "var", "field", "macro", "key"]);
/** Blank lines between values part groups of them, but not this few. */
const MAX_GAP = 3;
const PART_LINES = 60;
/** More headings are data; each is compared with each piece of the text. */
const MAX_HEADINGS = 1_000;

/** Splits a parsed file into chunks: every symbol once, and the lines between symbols. */
export function chunkSource(path: string, lines: readonly string[], parsed: ParsedFile): ChunkedFile {
  const ofSymbols = symbolChunks(parsed.symbols).sort(byLine);
  const chunks = coverAllLines(ofSymbols, { path, lines, parsed }).sort(byLine);
  return {
    chunks: addMembers(chunks, parsed.members ?? []),
    symbolCount: parsed.symbols.length,
    header: longestHeader(parsed.header),
  };
}

/** Splits a text that is no source code; its outline, if it has one, gives its headings or its top-level keys. */
export function chunkText(path: string, lines: readonly string[], outline?: ParsedFile): ChunkedFile {
  const entries = outline?.symbols ?? [];
  const headings = entries.filter(({ kind }) => kind === "heading");
  const borders = new Set(headings.map(({ startLine }) => startLine));
  const pieces = splitText(lines, { startLine: 1, endLine: lines.length }, borders);
  const chunks = pieces.map((piece) => ({
    ...piece,
    symbols: [fileSymbol(path, piece, headingsAbove(headings, piece))],
  }));
  return {
    chunks: addMembers(chunks, outlineMembers(path, entries)),
    symbolCount: 0,
    header: NO_HEADER,
  };
}

/** The titles of the sections that a piece is in. */
const headingsAbove = (headings: readonly ParsedSymbol[], piece: LineRange) =>
  headings
    .slice(0, MAX_HEADINGS)
    .filter(({ startLine, endLine }) => startLine < piece.startLine && endLine >= piece.startLine)
    .map(({ name }) => name)
    .join("\n");

const byLine = (a: LineRange, b: LineRange) => a.startLine - b.startLine || a.endLine - b.endLine;

/** One chunk for each symbol, several for a long one. A long class gets a chunk for its head; its members have their own. */
function symbolChunks(symbols: readonly ParsedSymbol[]): CodeChunk[] {
  const chunks: CodeChunk[] = [];
  let last: { symbol: ParsedSymbol; chunk: CodeChunk } | undefined;
  for (const [index, symbol] of symbols.entries()) {
    if (last && canJoin(last.symbol, last.chunk, symbol)) {
      const joined = {
        ...last.chunk,
        endLine: Math.max(last.chunk.endLine, symbol.endLine),
        symbols: [...last.chunk.symbols, codeSymbol(symbol)],
      };
      chunks[chunks.length - 1] = joined;
      last = { symbol, chunk: joined };
      continue;
    }
    const [first, ...rest] = splitSymbol(symbol, ownEndLine(symbol, symbols[index + 1]));
    if (first === undefined) continue;
    chunks.push(first, ...rest);
    last = rest.length === 0 ? { symbol, chunk: first } : undefined;
  }
  return chunks;
}

/** Names of one declaration share a chunk, and so do short runs of small values without comments of their own. */
function canJoin(before: ParsedSymbol, chunk: CodeChunk, next: ParsedSymbol): boolean {
  if (before.hasMembers) return false;
  const isSameKind = before.kind === next.kind;
  if (isSameKind && before.startLine === next.startLine && before.endLine === next.endLine) return true;
  if (before.groupLine !== next.groupLine || before.parent !== next.parent) return false;
  if (next.startLine - before.endLine > MAX_GAP || next.endLine - chunk.startLine >= MAX_GROUP_LINES)
    return false;
  return isSmallValue(before) && isSmallValue(next);
}

const isSmallValue = ({ kind, docStartLine, startLine, endLine, hasMembers }: ParsedSymbol) =>
  !hasMembers && docStartLine === startLine && endLine - startLine < MAX_SMALL_LINES && VALUE_KINDS.has(kind);

/** A short class ends at its last line, a long one before its first member. */
function ownEndLine(symbol: ParsedSymbol, firstMember: ParsedSymbol | undefined): number {
  if (!symbol.hasMembers || !firstMember) return symbol.endLine;
  if (symbol.endLine - symbol.docStartLine < WHOLE_CLASS_LINES) return symbol.endLine;
  return Math.max(symbol.startLine, firstMember.docStartLine - 1);
}

/** Cuts a long symbol between its statements. */
function splitSymbol(symbol: ParsedSymbol, endLine: number): CodeChunk[] {
  const parts: CodeChunk[] = [];
  let start = symbol.docStartLine;
  while (endLine - start >= MAX_CHUNK_LINES) {
    const next = nextCut(symbol.cuts, start);
    if (next > endLine) break;
    parts.push(symbolChunk(symbol, start, next - 1));
    start = next;
  }
  parts.push(symbolChunk(symbol, start, endLine));
  return parts;
}

/** The last statement border within a part's length. If there is none, the part is cut at that length. */
function nextCut(cuts: readonly number[], start: number): number {
  const fitting = cuts.findLast((cut) => cut > start + PART_LINES / 3 && cut <= start + PART_LINES);
  return fitting ?? start + PART_LINES;
}

/** The longest run of imports: a late import further down is not the header. */
function longestHeader(runs: readonly LineRange[]): LineRange {
  const length = (run: LineRange) => run.endLine - run.startLine;
  const { startLine, endLine } = runs.reduce((a, b) => (length(b) > length(a) ? b : a), runs[0] ?? NO_HEADER);
  return { startLine, endLine: Math.min(endLine, startLine + HEADER_LINES - 1) };
}
