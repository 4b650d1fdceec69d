import { LruCache } from "../../../core/lru-cache.ts";
import type { CodeSymbol } from "../prepare/chunk.ts";
import type { IndexedSymbol } from "../schemas.ts";
import type { CodeStore } from "../store/code-store.ts";
import { chunksNamed, chunksOfFile } from "../store/stored-chunks.ts";
import { readFile, readFileAt, type StoredFile } from "../store/stored-files.ts";
import { fileOfChunk } from "../store/tables.ts";

/** Finds symbols whose name begins with `name`, in any case: exact names first, then in the order of the files. */
export function symbolsNamed(code: CodeStore, name: string | undefined, limit: number): IndexedSymbol[] {
  const paths = new Map<number, string>();
  const found = new Map<string, { readonly symbol: IndexedSymbol; readonly rank: number }>();
  const wanted = name?.toLowerCase();
  // SQLite lowers the case of ASCII only.
  const isAscii = wanted !== undefined && /^[ -~]*$/.test(wanted);
  for (const chunk of chunksNamed(code, isAscii ? wanted : undefined)) {
    const fileId = fileOfChunk(chunk.id);
    for (const symbol of chunk.symbols) {
      if (!isDeclared(symbol) || (wanted === undefined && symbol.isMember)) continue;
      if (wanted !== undefined && !symbol.name.toLowerCase().startsWith(wanted)) continue;
      const path = paths.get(fileId) ?? readFile(code, fileId)?.path ?? "";
      paths.set(fileId, path);
      // A long symbol has several chunks.
      found.set(`${path}:${symbolKey(symbol)}`, {
        symbol: indexedSymbol(symbol, path),
        rank: rankOf(symbol, name),
      });
    }
    if (wanted === undefined && found.size >= limit) break;
  }
  const inOrder = [...found.values()].sort((a, b) => a.rank - b.rank);
  return inOrder.slice(0, limit).map(({ symbol }) => symbol);
}

/** Exact names first, then those in another case; fields after the rest. */
function rankOf(symbol: CodeSymbol, name = ""): number {
  const isSame = symbol.name === name;
  const nearness = isSame ? 0 : symbol.name.toLowerCase() === name.toLowerCase() ? 1 : 2;
  return nearness * 2 + (isField(symbol) ? 1 : 0);
}

/** The symbols of one file in the order of its lines; empty if it is not indexed. */
export function symbolsOfFile(code: CodeStore, path: string): readonly IndexedSymbol[] {
  const file = readFileAt(code, path);
  if (file === undefined) return [];
  return symbolCache.of(`${file.hash} ${path}`, () => readSymbols(code, file));
}

function readSymbols(code: CodeStore, { id, path }: StoredFile): readonly IndexedSymbol[] {
  const found = new Map<string, IndexedSymbol>();
  for (const { symbols } of chunksOfFile(code, id)) {
    for (const symbol of symbols) {
      if (isDeclared(symbol) && !symbol.isMember) found.set(symbolKey(symbol), indexedSymbol(symbol, path));
    }
  }
  return [...found.values()].sort((a, b) => a.line - b.line);
}

/** Keyed by content hash and path, so one cache serves every index. Packs ask for the same files again and again. */
const symbolCache = new LruCache<readonly IndexedSymbol[]>(512);

/** One line may declare a type and a constructor with the same name. */
export const symbolKey = ({ startLine, kind, parent = "", name }: CodeSymbol) =>
  `${startLine}:${kind}:${parent}:${name}`;

/** Fields are found by their names, but never before another symbol of that name. */
const isField = ({ kind, isMember = false }: CodeSymbol) => isMember || kind === "field";

export const isDeclared = ({ kind }: CodeSymbol) => kind !== "file" && kind !== "package";

export const indexedSymbol = (symbol: CodeSymbol, path: string): IndexedSymbol => ({
  name: symbol.name,
  kind: symbol.kind,
  signature: symbol.signature,
  doc: symbol.doc,
  path,
  line: symbol.startLine,
  end_line: symbol.endLine,
  exported: symbol.exported,
  ...(symbol.parent !== undefined && { parent: symbol.parent }),
  ...(symbol.isTest && { is_test: true }),
});
