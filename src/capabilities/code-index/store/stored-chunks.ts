import { z } from "zod";
import type { LineRange } from "../../../core/parse/parse.ts";
import { numberIn, textIn } from "../../../core/search/segments/rows.ts";
import type { CodeChunk, CodeSymbol } from "../prepare/chunk.ts";
import { DDD_PATTERNS } from "../prepare/ddd.ts";
import type { CodeStore } from "./code-store.ts";
import { CHUNKS_PER_FILE, fileOfChunk } from "./tables.ts";

/** The first symbol speaks for the chunk; its members come last among its symbols. */
export interface StoredChunk extends Omit<CodeChunk, "members"> {
  readonly id: number;
}
interface ChunkPlace extends LineRange {
  readonly file: { readonly id: number; readonly hash: string };
}
/**
 * A symbol without the names of its keys, which were a third of the bytes. Name and kind come first, where SQL looks for them; at
 * the end the usual values are left out.
 */
const PackedSymbol = z.tuple([
  z.string(),
  z.string(),
  z.string().describe("signature"),
  z.number().describe("first line"),
  z.number().describe("last line; 0 for a member, which has one line and no doc"),
  z.number().optional().describe("1 if it is exported, and 2 more if it is a test among source"),
  z.string().nullish().describe("parent; null for a member of the chunk's first symbol"),
  z.string().nullish().describe("doc; null if it is that of the chunk's first symbol"),
  z.number().optional().describe("lines of the comment that became the doc of the chunk's first symbol"),
  z.array(z.enum(DDD_PATTERNS)).optional(),
]);
const PackedSymbols = z.array(PackedSymbol);
const EXPORTED = 1;
const TEST = 2;
/** From the sixth value on. */
const USUAL: readonly unknown[] = [EXPORTED, null, "", 0];
const NEVER_LEFT_OUT = 5;
const SELECT = "SELECT id, start_line, end_line, symbols FROM chunks";

export function readChunk({ store }: CodeStore, id: number): StoredChunk | undefined {
  const row = store.prepare(`${SELECT} WHERE id = ?`).get(id);
  return row === undefined ? undefined : chunkOf(row);
}

/** The lines of a chunk and its file. Ranking reads dozens of texts, and the symbols would take longer than the text. */
export function readPlace({ store }: CodeStore, id: number): ChunkPlace | undefined {
  const fileId = fileOfChunk(id);
  const row = store
    .prepare("SELECT start_line, end_line, hash FROM chunks, files WHERE chunks.id = ? AND files.id = ?")
    .get(id, fileId);
  if (row === undefined) return undefined;
  return { ...rangeOf(row), file: { id: fileId, hash: textIn(row, "hash") } };
}

export function chunksOfFile({ store }: CodeStore, fileId: number): StoredChunk[] {
  const from = fileId * CHUNKS_PER_FILE;
  const rows = store.prepare(`${SELECT} WHERE id >= ? AND id < ? ORDER BY id`);
  return rows.all(from, from + CHUNKS_PER_FILE).map(chunkOf);
}

/** The symbol that is declared on a line. Reads the chunks around the line, not the whole file. */
export function symbolAt(
  { store }: CodeStore,
  fileId: number,
  { name, startLine, parent }: { readonly name: string; readonly startLine: number; readonly parent: string },
): CodeSymbol | undefined {
  const from = fileId * CHUNKS_PER_FILE;
  const rows = store
    .prepare(`${SELECT} WHERE id >= ? AND id < ? AND start_line <= ? AND end_line >= ? ORDER BY id`)
    .all(from, from + CHUNKS_PER_FILE, startLine, startLine);
  for (const row of rows) {
    const found = chunkOf(row).symbols.find(
      (one) => one.startLine === startLine && one.name === name && (one.parent ?? "") === parent,
    );
    if (found) return found;
  }
  return undefined;
}

/** Chunks that may have a symbol whose name begins with `name`, which is ASCII in lower case; or all. Reads the whole table. */
export const chunksNamed = (code: CodeStore, name?: string): Generator<StoredChunk> =>
  chunksContaining(code, name === undefined ? undefined : `[${JSON.stringify(name).slice(0, -1)}`);

/** Chunks that may have a symbol of this kind. */
export const chunksOfKind = (code: CodeStore, kind: string): Generator<StoredChunk> =>
  chunksContaining(code, `",${JSON.stringify(kind)},"`);

function* chunksContaining({ store }: CodeStore, fragment: string | undefined): Generator<StoredChunk> {
  const rows =
    fragment === undefined
      ? store.prepare(`${SELECT} ORDER BY id`).iterate()
      : store.prepare(`${SELECT} WHERE instr(lower(symbols), ?) > 0 ORDER BY id`).iterate(fragment);
  for (const row of rows) yield chunkOf(row);
}

function chunkOf(row: unknown): StoredChunk {
  return { id: numberIn(row, "id"), ...rangeOf(row), ...unpackSymbols(textIn(row, "symbols")) };
}

const rangeOf = (row: unknown): LineRange => ({
  startLine: numberIn(row, "start_line"),
  endLine: numberIn(row, "end_line"),
});

/** The symbols of one chunk in their stored form, members last. */
export function packSymbols({ symbols, members = [], docLines }: Omit<CodeChunk, keyof LineRange>): string {
  const [first] = symbols;
  const docLength = docLines ? docLines.endLine - docLines.startLine + 1 : 0;
  return JSON.stringify([
    ...symbols.map((symbol) => packSymbol(symbol, first, symbol === first ? docLength : 0)),
    ...members.map((member) => packSymbol(member, first, 0)),
  ]);
}

function packSymbol(symbol: CodeSymbol, first: CodeSymbol | undefined, docLength: number): unknown[] {
  const { name, kind, signature, startLine, endLine, parent = null, doc, ddd, isMember } = symbol;
  const marks = (symbol.exported ? EXPORTED : 0) + (symbol.isTest ? TEST : 0);
  const values: unknown[] = [name, kind, signature, startLine, isMember ? 0 : endLine, marks];
  values.push(isMember && parent === first?.name ? null : parent);
  values.push(symbol !== first && doc !== "" && doc === first?.doc ? null : doc);
  values.push(docLength);
  if (ddd.length > 0) values.push(ddd);
  while (values.length > NEVER_LEFT_OUT && values.at(-1) === USUAL[values.length - 1 - NEVER_LEFT_OUT])
    values.pop();
  return values;
}

function unpackSymbols(packed: string): Pick<StoredChunk, "symbols" | "docLines"> {
  const values = PackedSymbols.parse(JSON.parse(packed));
  const [first] = values;
  const symbols = values.map(
    ([
      name,
      kind,
      signature,
      startLine,
      endLine,
      marks = EXPORTED,
      parent,
      doc = "",
      ,
      ddd = [],
    ]): CodeSymbol => {
      const isMember = endLine === 0;
      const holder = parent ?? (isMember ? first?.[0] : undefined);
      return {
        name,
        kind,
        signature,
        doc: doc ?? first?.[7] ?? "",
        startLine,
        endLine: isMember ? startLine : endLine,
        exported: (marks & EXPORTED) !== 0,
        ddd,
        ...(isMember && { isMember }),
        ...((marks & TEST) !== 0 && { isTest: true }),
        ...(holder !== undefined && { parent: holder }),
      };
    },
  );
  const [, , , startLine = 0, , , , , docLength = 0] = first ?? [];
  if (docLength === 0) return { symbols };
  return { symbols, docLines: { startLine: startLine - docLength, endLine: startLine - 1 } };
}
