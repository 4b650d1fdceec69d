import { LruCache } from "../../../core/lru-cache.ts";
import type { CodeStore } from "../store/code-store.ts";
import {
  chunksHolding,
  chunksOfFile,
  type FileRow,
  fileAt,
  readFile,
  type StoredSymbol,
} from "../store/stored-chunks.ts";
import { fileOfChunk } from "../store/tables.ts";

export interface PlacedSymbol {
  readonly name: string;
  readonly kind: string;
  readonly signature: string;
  readonly doc: string;
  readonly path: string;
  readonly line: number;
  readonly end_line: number;
  readonly exported: boolean;
  readonly parent?: string;
}

/** Symbols whose name is, or begins with, `name`, whatever the case; exact names first, then in the order of the files. */
export function symbolsNamed(code: CodeStore, name: string | undefined, limit: number): PlacedSymbol[] {
  const paths = new Map<number, string>();
  const found = new Map<string, PlacedSymbol>();
  const wanted = name?.toLowerCase();
  // SQLite knows the lower case of ASCII only.
  const isAscii = wanted !== undefined && /^[ -~]*$/.test(wanted);
  const fragment = isAscii ? `"name":${JSON.stringify(wanted).slice(0, -1)}` : undefined;
  for (const chunk of chunksHolding(code, fragment)) {
    const fileId = fileOfChunk(chunk.id);
    for (const symbol of chunk.symbols) {
      if (!isDeclared(symbol) || (wanted !== undefined && !symbol.name.toLowerCase().startsWith(wanted)))
        continue;
      const path = paths.get(fileId) ?? readFile(code, fileId)?.path ?? "";
      paths.set(fileId, path);
      // A long symbol lies in several chunks.
      found.set(`${path}:${keyOf(symbol)}`, placed(symbol, path));
    }
    if (wanted === undefined && found.size >= limit) break;
  }
  const rank = (symbol: PlacedSymbol) =>
    symbol.name === name ? 0 : symbol.name.toLowerCase() === wanted ? 1 : 2;
  return [...found.values()].sort((a, b) => rank(a) - rank(b)).slice(0, limit);
}

/** The symbols of one file in the order of its lines; empty where it is not indexed. */
export function symbolsOfFile(code: CodeStore, path: string): readonly PlacedSymbol[] {
  const file = fileAt(code, path);
  if (file === undefined) return [];
  return recentSymbols.of(`${file.hash} ${path}`, () => readSymbols(code, file));
}

function readSymbols(code: CodeStore, { id, path }: FileRow): readonly PlacedSymbol[] {
  const found = new Map<string, PlacedSymbol>();
  for (const { symbols } of chunksOfFile(code, id)) {
    for (const symbol of symbols) {
      if (isDeclared(symbol)) found.set(keyOf(symbol), placed(symbol, path));
    }
  }
  return [...found.values()].sort((a, b) => a.line - b.line);
}

/** By content and path, so it is right for every index of this process: packs ask for the same files again and again. */
const recentSymbols = new LruCache<readonly PlacedSymbol[]>(512);

/** One line may declare a type and its constructor of the same name. */
export const keyOf = ({ startLine, kind, parent = "", name }: StoredSymbol) =>
  `${startLine}:${kind}:${parent}:${name}`;

export const isDeclared = ({ kind }: StoredSymbol) => kind !== "file" && kind !== "package";

export const placed = (symbol: StoredSymbol, path: string): PlacedSymbol => ({
  name: symbol.name,
  kind: symbol.kind,
  signature: symbol.signature,
  doc: symbol.doc,
  path,
  line: symbol.startLine,
  end_line: symbol.endLine,
  exported: symbol.exported,
  ...(symbol.parent !== undefined && { parent: symbol.parent }),
});
