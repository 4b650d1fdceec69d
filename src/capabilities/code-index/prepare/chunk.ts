import type { LineRange, ParsedFile, ParsedMember, ParsedSymbol } from "../../../core/parse/parse.ts";
import { type DddPattern, dddPatterns } from "./ddd.ts";

/** A symbol as it is stored. */
export interface CodeSymbol
  extends Pick<
    ParsedSymbol,
    | "name"
    | "kind"
    | "signature"
    | "doc"
    | "startLine"
    | "endLine"
    | "exported"
    | "parent"
    | "isTest"
    | "isDeclaredOnly"
  > {
  readonly ddd: readonly DddPattern[];
  /** A field or the like: a name of the chunk that it stands in, which another symbol speaks for. */
  readonly isMember?: boolean;
}
/** Lines that a search finds as one: a symbol, a part of a long symbol, a block of constants, or lines outside symbols. */
export interface CodeChunk extends LineRange {
  readonly symbols: readonly CodeSymbol[];
  /** Names inside that have no chunk of their own: fields, methods of an interface, headings, keys. */
  readonly members?: readonly CodeSymbol[];
  /** The lines of the comment that became the first symbol's doc. */
  readonly docLines?: LineRange;
}

export const MAX_CHUNK_LINES = 100;
/** A longer comment is a chapter; its beginning says what the symbol is for. */
const MAX_DOC = 4_000;

export const codeSymbol = (symbol: ParsedSymbol): CodeSymbol => ({
  name: symbol.name,
  kind: symbol.kind,
  signature: symbol.signature,
  doc: clipDoc(symbol.doc),
  startLine: symbol.startLine,
  endLine: symbol.endLine,
  exported: symbol.exported,
  ddd: dddPatterns(symbol.name, symbol.kind),
  ...(symbol.parent !== undefined && { parent: symbol.parent }),
  ...(symbol.isTest && { isTest: true }),
  ...(symbol.isDeclaredOnly && { isDeclaredOnly: true }),
});

export const memberSymbol = ({
  name,
  kind,
  signature,
  line,
  exported,
  parent,
}: ParsedMember): CodeSymbol => ({
  name,
  kind,
  signature,
  doc: "",
  startLine: line,
  endLine: line,
  exported,
  parent,
  ddd: [],
  isMember: true,
});

export const symbolChunk = (symbol: ParsedSymbol, startLine: number, endLine: number): CodeChunk => ({
  startLine,
  endLine,
  symbols: [codeSymbol(symbol)],
  // A clipped comment stays in the body, so that a search finds its end too.
  ...(symbol.docStartLine < symbol.startLine &&
    symbol.doc.length <= MAX_DOC && {
      docLines: { startLine: symbol.docStartLine, endLine: symbol.startLine - 1 },
    }),
});

export const packageSymbol = ({ packageName = "", doc }: ParsedFile, lines: LineRange): CodeSymbol => ({
  name: packageName,
  kind: "package",
  signature: `package ${packageName}`,
  doc: clipDoc(doc),
  startLine: lines.startLine,
  endLine: lines.endLine,
  exported: true,
  ddd: [],
});

/** Stands for lines that belong to no symbol. */
export const fileSymbol = (path: string, lines: LineRange, doc = ""): CodeSymbol => ({
  name: path.slice(path.lastIndexOf("/") + 1),
  kind: "file",
  signature: path,
  doc,
  startLine: lines.startLine,
  endLine: lines.endLine,
  exported: true,
  ddd: [],
});

const clipDoc = (doc: string) => (doc.length > MAX_DOC ? `${doc.slice(0, MAX_DOC)}…` : doc);
