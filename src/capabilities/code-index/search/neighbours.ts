import { z } from "zod";
import { byCodeUnit } from "../../../core/order.ts";
import type { CodeSymbol } from "../prepare/chunk.ts";
import { isTest } from "../scan/discover.ts";
import { directoryOf } from "../scan/import-paths.ts";
import type { IndexedSymbol, Neighbours, SymbolLocation } from "../schemas.ts";
import type { CodeStore } from "../store/code-store.ts";
import { chunksContaining, readChunk } from "../store/stored-chunks.ts";
import { readLines } from "../store/stored-contents.ts";
import { readFile, type StoredFile } from "../store/stored-files.ts";
import { fileOfChunk } from "../store/tables.ts";
import { indexedSymbol, isDeclared, symbolsOfFile } from "./symbols.ts";

const MAX_CALLERS = 3;
/** How many chunks that contain the name are searched for callers. */
const MAX_MENTIONS = 32;
const MAX_INTERFACES = 20;
const PathRow = z.object({ path: z.string() });

/** What a reader of a symbol wants to see next. It goes by names, since the index knows no types: a guess, not a proof. */
export async function findNeighbours(
  code: CodeStore,
  location: SymbolLocation,
  signal: AbortSignal,
): Promise<Neighbours> {
  const own = symbolsOfFile(code, location.path);
  const symbol = own.find(({ name }) => name === location.name);
  return {
    callers: await findCallers(code, location, signal),
    tests: testsBeside(code, location.path),
    interfaces: symbol ? interfacesOf(code, symbol) : [],
  };
}

async function findCallers(
  code: CodeStore,
  { path, name }: SymbolLocation,
  signal: AbortSignal,
): Promise<IndexedSymbol[]> {
  const { hits } = await code.index.keyword({ query: name, limit: MAX_MENTIONS, words: "all", signal });
  const mention = new RegExp(
    // With the `u` flag only these may be escaped: `\#` would be a syntax error.
    `(?<![\\p{L}\\p{N}_$])${name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}(?![\\p{L}\\p{N}_$])`,
    "u",
  );
  const callers: IndexedSymbol[] = [];
  for (const { chunkId } of hits) {
    const chunk = readChunk(code, Number(chunkId));
    const file = chunk && readFile(code, fileOfChunk(chunk.id));
    const [symbol] = chunk?.symbols ?? [];
    if (!chunk || !file || !symbol || !isDeclared(symbol)) continue;
    if (file.path === path && chunk.symbols.some((declared) => declared.name === name)) continue;
    const lines = readLines(code.store, file, Math.max(symbol.startLine, chunk.startLine), chunk.endLine);
    if (!lines.some((line) => mention.test(line))) continue;
    callers.push(indexedSymbol(symbol, file.path));
    if (callers.length >= MAX_CALLERS) break;
  }
  return callers;
}

function testsBeside(code: CodeStore, path: string): string[] {
  return filesIn(code, directoryOf(path))
    .map((file) => file.path)
    .filter(isTest)
    .sort(byCodeUnit);
}

/** Go's rule, by names: a type implements an interface if it has all its methods. */
function interfacesOf(code: CodeStore, symbol: IndexedSymbol): IndexedSymbol[] {
  const isType = symbol.kind === "struct" || symbol.kind === "type";
  const type = symbol.parent ?? (isType ? symbol.name : undefined);
  if (type === undefined || !symbol.path.endsWith(".go")) return [];
  const methods = methodsOfType(code, type, directoryOf(symbol.path));
  if (methods.size === 0) return [];
  return interfacesIn(code)
    .filter((declared) => declared.methods.every((name) => methods.has(name)))
    .slice(0, MAX_INTERFACES)
    .map(({ symbol }) => symbol);
}

interface GoInterface {
  readonly symbol: IndexedSymbol;
  readonly methods: readonly string[];
}

/** Cached until the index changes: finding them reads the whole table. */
function interfacesIn(code: CodeStore): readonly GoInterface[] {
  const generation = code.index.generation();
  const known = interfaceCache.get(code);
  if (known?.generation === generation) return known.interfaces;
  const interfaces: GoInterface[] = [];
  for (const chunk of chunksContaining(code, '"kind":"interface"')) {
    const file = readFile(code, fileOfChunk(chunk.id));
    const [declared] = chunk.symbols;
    if (!file?.path.endsWith(".go") || !declared) continue;
    const methods = declaredMethods(code, file, declared);
    if (methods.length > 0) interfaces.push({ symbol: indexedSymbol(declared, file.path), methods });
  }
  interfaceCache.set(code, { generation, interfaces });
  return interfaces;
}

const interfaceCache = new WeakMap<
  CodeStore,
  { readonly generation: number; readonly interfaces: readonly GoInterface[] }
>();

/** In Go any file of the package may declare a method of the type. */
function methodsOfType(code: CodeStore, type: string, directory: string): ReadonlySet<string> {
  const symbols = filesIn(code, directory)
    .filter(({ path }) => path.endsWith(".go"))
    .flatMap(({ path }) => symbolsOfFile(code, path));
  return new Set(symbols.filter(({ parent }) => parent === type).map(({ name }) => name));
}

/** The files of one directory, without its subdirectories. */
function filesIn({ store }: CodeStore, directory: string): { readonly path: string }[] {
  const rows =
    directory === "" || directory === "."
      ? store.prepare("SELECT path FROM files").all()
      : // "0" follows "/" in ASCII, so the index on paths answers this range.
        store
          .prepare("SELECT path FROM files WHERE path > ? AND path < ?")
          .all(`${directory}/`, `${directory}0`);
  return z
    .array(PathRow)
    .parse(rows)
    .filter(({ path }) => directoryOf(path) === directory);
}

/** The method names in an interface's source. */
function declaredMethods({ store }: CodeStore, file: StoredFile, declared: CodeSymbol): string[] {
  const body = readLines(store, file, declared.startLine + 1, declared.endLine - 1);
  return body.flatMap((text) => /^\s*([\p{L}_][\p{L}\p{N}_]*)\(/u.exec(text)?.[1] ?? []);
}
