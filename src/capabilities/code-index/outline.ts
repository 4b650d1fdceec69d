import type { ParsedFile, ParsedSymbol } from "../../core/parse/parse.ts";
import { type DddPattern, dddPatterns } from "./ddd.ts";
import { plainPieces } from "./plain-pieces.ts";

export interface OutlinedSymbol {
  readonly name: string;
  readonly kind: string;
  readonly signature: string;
  readonly doc: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly exported: boolean;
  readonly ddd: readonly DddPattern[];
  readonly parent?: string;
}
/** A run of lines that is found as one: a symbol, a part of a long one, or several constants of one block. */
export interface OutlinedChunk {
  readonly startLine: number;
  readonly endLine: number;
  readonly symbols: readonly OutlinedSymbol[];
}
export interface Outline {
  readonly chunks: readonly OutlinedChunk[];
  readonly symbolCount: number;
  /** Package clause and imports: what a reader of any chunk may want above it. */
  readonly header: { readonly startLine: number; readonly endLine: number };
}

const WHOLE_CLASS_LINES = 40;
const GROUP_LINES = 30;
const LONG_LINES = 100;
const PIECE_LINES = 60;
const HEADER_LINES = 20;
/** Longer comments are chapters; their beginning tells what the symbol is for. */
const MAX_DOC = 4_000;
/** Fewer lines outside every symbol are brackets, imports and remarks. */
const MIN_GAP_LINES = 3;

/** How a parsed file falls into chunks: every symbol once, and what stands between them where it says something. */
export function outlineOf(path: string, lines: readonly string[], parsed: ParsedFile): Outline {
  const chunks = [...symbolChunks(lines, parsed.symbols), ...gapChunks(path, lines, parsed)];
  chunks.sort((a, b) => a.startLine - b.startLine || a.endLine - b.endLine);
  return { chunks, symbolCount: parsed.symbols.length, header: headerOf(lines, parsed.symbols) };
}

function symbolChunks(lines: readonly string[], symbols: readonly ParsedSymbol[]): OutlinedChunk[] {
  const chunks: OutlinedChunk[] = [];
  let last: { symbol: ParsedSymbol; chunk: OutlinedChunk } | undefined;
  for (const [index, symbol] of symbols.entries()) {
    if (last && joins(last.symbol, last.chunk, symbol)) {
      const joined = {
        ...last.chunk,
        endLine: Math.max(last.chunk.endLine, symbol.endLine),
        symbols: [...last.chunk.symbols, outlined(symbol)],
      };
      chunks[chunks.length - 1] = joined;
      last = { symbol, chunk: joined };
      continue;
    }
    const made = symbol.hasMembers
      ? holderChunks(lines, symbol, membersOf(symbols, index))
      : pieces(symbol, symbol.docStartLine, symbol.endLine);
    chunks.push(...made);
    const only = made.length === 1 ? made[0] : undefined;
    last = only && { symbol, chunk: only };
  }
  return chunks;
}

/** Names declared together, and short runs of a block's members without comments of their own, are found together. */
function joins(before: ParsedSymbol, chunk: OutlinedChunk, next: ParsedSymbol): boolean {
  if (before.kind !== next.kind || before.hasMembers) return false;
  if (before.startLine === next.startLine && before.endLine === next.endLine) return true;
  if (next.groupLine === undefined || before.groupLine !== next.groupLine) return false;
  const isBare = ({ docStartLine, startLine, endLine, kind }: ParsedSymbol) =>
    docStartLine === startLine && startLine === endLine && (kind === "const" || kind === "var");
  return isBare(before) && isBare(next) && next.endLine - chunk.startLine < GROUP_LINES;
}

function membersOf(symbols: readonly ParsedSymbol[], holder: number): readonly ParsedSymbol[] {
  const end = symbols[holder]?.endLine ?? 0;
  const members: ParsedSymbol[] = [];
  for (let index = holder + 1; index < symbols.length; index++) {
    const symbol = symbols[index];
    if (symbol === undefined || symbol.startLine > end) break;
    members.push(symbol);
  }
  return members;
}

/** A short class is shown whole; of a long one what its members leave over. */
function holderChunks(
  lines: readonly string[],
  symbol: ParsedSymbol,
  members: readonly ParsedSymbol[],
): OutlinedChunk[] {
  if (symbol.endLine - symbol.docStartLine < WHOLE_CLASS_LINES) {
    return pieces(symbol, symbol.docStartLine, symbol.endLine);
  }
  const [head, ...rest] = gapsBetween(symbol.docStartLine, symbol.endLine, members);
  const first = head ?? { startLine: symbol.docStartLine, endLine: symbol.startLine };
  const telling = rest.filter((gap) => countFilled(lines, gap) >= MIN_GAP_LINES);
  return [first, ...telling].flatMap(({ startLine, endLine }) => pieces(symbol, startLine, endLine));
}

/** Cuts what is too long at the borders of its statements. */
function pieces(symbol: ParsedSymbol, from: number, to: number): OutlinedChunk[] {
  const symbols = [outlined(symbol)];
  if (to - from < LONG_LINES) return [{ startLine: from, endLine: to, symbols }];
  const found: OutlinedChunk[] = [];
  let start = from;
  while (to - start >= LONG_LINES) {
    const next = borderAfter(symbol.cuts, start);
    if (next > to) break;
    found.push({ startLine: start, endLine: next - 1, symbols });
    start = next;
  }
  found.push({ startLine: start, endLine: to, symbols });
  return found;
}

/** The last border within a piece's length, else a cut at that length. */
function borderAfter(cuts: readonly number[], start: number): number {
  const fitting = cuts.findLast((cut) => cut > start + PIECE_LINES / 3 && cut <= start + PIECE_LINES);
  return fitting ?? start + PIECE_LINES;
}

interface Lines {
  readonly startLine: number;
  readonly endLine: number;
}

function gapsBetween(from: number, to: number, taken: readonly ParsedSymbol[]): Lines[] {
  const gaps: Lines[] = [];
  let next = from;
  for (const { docStartLine, endLine } of taken) {
    if (docStartLine > next) gaps.push({ startLine: next, endLine: docStartLine - 1 });
    next = Math.max(next, endLine + 1);
  }
  if (next <= to) gaps.push({ startLine: next, endLine: to });
  return gaps;
}

function gapChunks(path: string, lines: readonly string[], parsed: ParsedFile): OutlinedChunk[] {
  const gaps = gapsBetween(1, lines.length, parsed.symbols);
  const isEmpty = parsed.symbols.length === 0;
  return gaps.flatMap((gap) => {
    const isHeader = gap.startLine === 1;
    const needed = isEmpty || (isHeader && parsed.doc !== "") ? 1 : MIN_GAP_LINES;
    const isTelling = isEmpty || parsed.doc !== "" || !isHeader;
    if (!isTelling || countFilled(lines, gap) < needed) return [];
    const about = isHeader && parsed.packageName !== undefined ? packageSymbol(parsed, gap) : undefined;
    return plainPieces(lines, gap).map((piece) => ({
      ...piece,
      symbols: [about ?? fileSymbol(path, piece, isHeader ? parsed.doc : "")],
    }));
  });
}

const packageSymbol = ({ packageName = "", doc }: ParsedFile, lines: Lines): OutlinedSymbol => ({
  name: packageName,
  kind: "package",
  signature: `package ${packageName}`,
  doc: clipped(doc),
  ...lines,
  exported: true,
  ddd: [],
});

/** Stands for lines that belong to no symbol. */
export const fileSymbol = (path: string, lines: Lines, doc = ""): OutlinedSymbol => ({
  name: path.slice(path.lastIndexOf("/") + 1),
  kind: "file",
  signature: path,
  doc,
  startLine: lines.startLine,
  endLine: lines.endLine,
  exported: true,
  ddd: [],
});

const outlined = (symbol: ParsedSymbol): OutlinedSymbol => ({
  name: symbol.name,
  kind: symbol.kind,
  signature: symbol.signature,
  doc: clipped(symbol.doc),
  startLine: symbol.startLine,
  endLine: symbol.endLine,
  exported: symbol.exported,
  ddd: dddPatterns(symbol.name, symbol.kind),
  ...(symbol.parent !== undefined && { parent: symbol.parent }),
});

const clipped = (doc: string) => (doc.length > MAX_DOC ? `${doc.slice(0, MAX_DOC)}…` : doc);

function headerOf(lines: readonly string[], symbols: readonly ParsedSymbol[]): Lines {
  const end = (symbols[0]?.docStartLine ?? lines.length + 1) - 1;
  const clause = lines.slice(0, end).findIndex((line) => line.startsWith("package "));
  const startLine = clause + 1 || 1;
  return { startLine, endLine: Math.min(end, startLine + HEADER_LINES - 1) };
}

function countFilled(lines: readonly string[], { startLine, endLine }: Lines): number {
  let filled = 0;
  for (let line = startLine; line <= endLine; line++) if ((lines[line - 1] ?? "").trim() !== "") filled++;
  return filled;
}
