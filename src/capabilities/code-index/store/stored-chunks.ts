import { z } from "zod";
import type { LineRange } from "../../../core/parse/parse.ts";
import type { CodeSymbol } from "../prepare/chunk.ts";
import { DDD_PATTERNS } from "../prepare/ddd.ts";
import type { CodeStore } from "./code-store.ts";
import { CHUNKS_PER_FILE, fileOfChunk } from "./tables.ts";

export interface StoredChunk extends LineRange {
  readonly id: number;
  /** The first speaks for the chunk; members come last. */
  readonly symbols: readonly CodeSymbol[];
}
interface ChunkPlace extends LineRange {
  readonly file: { readonly id: number; readonly hash: string };
}
const PlaceRow = z.object({ start_line: z.number(), end_line: z.number(), hash: z.string() });
const ChunkRow = z.object({
  id: z.number(),
  start_line: z.number(),
  end_line: z.number(),
  symbols: z.string(),
});
const PackedSymbols = z.array(
  z.object({
    name: z.string(),
    kind: z.string(),
    signature: z.string(),
    /** Omitted if it is the doc of the chunk's first symbol, as in a block of constants under one comment. */
    doc: z.string().optional(),
    startLine: z.number(),
    /** A member is one line, without a doc, mostly public and mostly in the chunk's first symbol: the rest is omitted. */
    isMember: z.literal(true).optional(),
    endLine: z.number().optional(),
    exported: z.boolean().optional(),
    ddd: z.array(z.enum(DDD_PATTERNS)).optional(),
    parent: z.string().optional(),
  }),
);
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
  const { start_line: startLine, end_line: endLine, hash } = PlaceRow.parse(row);
  return { startLine, endLine, file: { id: fileId, hash } };
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

/** Chunks whose symbols, as JSON in lower case, contain this text, or all chunks. Reads the whole table. */
export function* chunksContaining({ store }: CodeStore, fragment?: string): Generator<StoredChunk> {
  const rows =
    fragment === undefined
      ? store.prepare(`${SELECT} ORDER BY id`).iterate()
      : store
          .prepare(`${SELECT} WHERE instr(lower(symbols), ?) > 0 ORDER BY id`)
          .iterate(fragment.toLowerCase());
  for (const row of rows) yield chunkOf(row);
}

function chunkOf(row: unknown): StoredChunk {
  const { id, start_line, end_line, symbols } = ChunkRow.parse(row);
  return { id, startLine: start_line, endLine: end_line, symbols: unpackSymbols(symbols) };
}

/** The symbols of one chunk in their stored form. */
export function packSymbols(symbols: readonly CodeSymbol[]): string {
  return JSON.stringify(
    symbols.map(({ ddd, doc, ...symbol }, position) =>
      symbol.isMember
        ? packMember(symbol, symbols[0]?.name)
        : {
            ...symbol,
            ...(ddd.length > 0 && { ddd }),
            ...((position === 0 || doc !== symbols[0]?.doc) && { doc }),
          },
    ),
  );
}

const packMember = (
  { name, kind, signature, startLine, exported, parent }: Omit<CodeSymbol, "ddd" | "doc">,
  holder: string | undefined,
) => ({
  name,
  kind,
  signature,
  startLine,
  isMember: true,
  ...(!exported && { exported }),
  ...(parent !== holder && { parent }),
});

function unpackSymbols(packed: string): CodeSymbol[] {
  const symbols = PackedSymbols.parse(JSON.parse(packed));
  const [first] = symbols;
  return symbols.map(({ doc, ddd = [], parent, exported = true, isMember, ...symbol }) => {
    const holder = parent ?? (isMember ? first?.name : undefined);
    return {
      ...symbol,
      endLine: symbol.endLine ?? symbol.startLine,
      doc: doc ?? (isMember ? "" : (first?.doc ?? "")),
      ddd,
      exported,
      ...(isMember && { isMember }),
      ...(holder !== undefined && { parent: holder }),
    };
  });
}
