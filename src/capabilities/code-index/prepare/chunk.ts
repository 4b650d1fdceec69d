import type { LineRange, ParsedFile, ParsedSymbol } from "../../../core/parse/parse.ts";
import { type DddPattern, dddPatterns } from "./ddd.ts";

/** What is kept of a symbol. */
export interface OutlinedSymbol
  extends Pick<
    ParsedSymbol,
    "name" | "kind" | "signature" | "doc" | "startLine" | "endLine" | "exported" | "parent"
  > {
  readonly ddd: readonly DddPattern[];
}
/** A run of lines that is found as one: a symbol, a part of a long one, several constants of one block, or no symbol's. */
export interface OutlinedChunk extends LineRange {
  readonly symbols: readonly OutlinedSymbol[];
  /** The comment whose words the first symbol's doc has. */
  readonly documented?: LineRange;
}

/** Longer comments are chapters; their beginning tells what the symbol is for. */
const MAX_DOC = 4_000;

export const outlined = (symbol: ParsedSymbol): OutlinedSymbol => ({
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

/** Lines of a symbol. */
export const symbolChunk = (symbol: ParsedSymbol, startLine: number, endLine: number): OutlinedChunk => ({
  startLine,
  endLine,
  symbols: [outlined(symbol)],
  // Of a clipped comment the rest is still to be found.
  ...(symbol.docStartLine < symbol.startLine &&
    symbol.doc.length <= MAX_DOC && {
      documented: { startLine: symbol.docStartLine, endLine: symbol.startLine - 1 },
    }),
});

export const packageSymbol = ({ packageName = "", doc }: ParsedFile, lines: LineRange): OutlinedSymbol => ({
  name: packageName,
  kind: "package",
  signature: `package ${packageName}`,
  doc: clipped(doc),
  startLine: lines.startLine,
  endLine: lines.endLine,
  exported: true,
  ddd: [],
});

/** Stands for lines that belong to no symbol. */
export const fileSymbol = (path: string, lines: LineRange, doc = ""): OutlinedSymbol => ({
  name: path.slice(path.lastIndexOf("/") + 1),
  kind: "file",
  signature: path,
  doc,
  startLine: lines.startLine,
  endLine: lines.endLine,
  exported: true,
  ddd: [],
});

const clipped = (doc: string) => (doc.length > MAX_DOC ? `${doc.slice(0, MAX_DOC)}…` : doc);
