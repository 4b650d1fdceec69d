import type { ParsedSymbol } from "../../../core/parse/parse.ts";
import { type OutlinedChunk, outlined, symbolChunk } from "./chunk.ts";

const WHOLE_CLASS_LINES = 40;
const GROUP_LINES = 30;
export const LONG_LINES = 100;
const PIECE_LINES = 60;

/** Every symbol in a chunk, long ones in several. Of a long class only the head: its members have their own. */
export function symbolChunks(symbols: readonly ParsedSymbol[]): OutlinedChunk[] {
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
    const made = pieces(symbol, ownEnd(symbol, symbols[index + 1]));
    chunks.push(...made);
    const only = made.length === 1 ? made[0] : undefined;
    last = only && { symbol, chunk: only };
  }
  return chunks;
}

/** Names declared together, and short runs of constants side by side without comments of their own, are found together. */
function joins(before: ParsedSymbol, chunk: OutlinedChunk, next: ParsedSymbol): boolean {
  if (before.kind !== next.kind || before.hasMembers) return false;
  if (before.startLine === next.startLine && before.endLine === next.endLine) return true;
  if (before.groupLine !== next.groupLine || before.parent !== next.parent) return false;
  if (next.groupLine === undefined && next.parent === undefined) return false;
  const isBare = ({ docStartLine, startLine, endLine, kind }: ParsedSymbol) =>
    docStartLine === startLine && startLine === endLine && (kind === "const" || kind === "var");
  return isBare(before) && isBare(next) && next.endLine - chunk.startLine < GROUP_LINES;
}

/** A short class is shown whole; of a long one what comes before its first member. */
function ownEnd(symbol: ParsedSymbol, firstMember: ParsedSymbol | undefined): number {
  if (!symbol.hasMembers || !firstMember) return symbol.endLine;
  if (symbol.endLine - symbol.docStartLine < WHOLE_CLASS_LINES) return symbol.endLine;
  return Math.max(symbol.startLine, firstMember.docStartLine - 1);
}

/** Cuts what is too long at the borders of its statements. */
function pieces(symbol: ParsedSymbol, to: number): OutlinedChunk[] {
  const found: OutlinedChunk[] = [];
  let start = symbol.docStartLine;
  while (to - start >= LONG_LINES) {
    const next = borderAfter(symbol.cuts, start);
    if (next > to) break;
    found.push(symbolChunk(symbol, start, next - 1));
    start = next;
  }
  found.push(symbolChunk(symbol, start, to));
  return found;
}

/** The last border within a piece's length, else a cut at that length. */
function borderAfter(cuts: readonly number[], start: number): number {
  const fitting = cuts.findLast((cut) => cut > start + PIECE_LINES / 3 && cut <= start + PIECE_LINES);
  return fitting ?? start + PIECE_LINES;
}
