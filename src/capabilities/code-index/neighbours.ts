import { z } from "zod";
import { byCodeUnit } from "../../core/order.ts";
import type { CodeStore } from "./code-store.ts";
import { isTest } from "./discover.ts";
import { directoryOf } from "./document.ts";
import { chunksHolding, indexedLines, readChunk, readFile, type StoredSymbol } from "./stored-chunks.ts";
import { isDeclared, type PlacedSymbol, placed, symbolsOfFile } from "./symbols-of-project.ts";
import { fileOfChunk } from "./tables.ts";

export interface Neighbours {
  /** Symbols whose source calls, or mentions, this one by name. */
  readonly callers: readonly PlacedSymbol[];
  /** Test files beside the file. */
  readonly tests: readonly string[];
  /** Interfaces all of whose methods the type has, for a type or a method of one. */
  readonly interfaces: readonly PlacedSymbol[];
}

const MAX_CALLERS = 20;
const MAX_INTERFACES = 20;
const PathRow = z.object({ path: z.string() });

/** What a reader of a symbol wants next. By names alone, as the index knows no types: a good guess, not a proof. */
export async function neighboursOf(
  code: CodeStore,
  place: { readonly path: string; readonly name: string },
  signal: AbortSignal,
): Promise<Neighbours> {
  const own = symbolsOfFile(code, place.path);
  const symbol = own.find(({ name }) => name === place.name);
  return {
    callers: await callersOf(code, place, signal),
    tests: testsBeside(code, place.path),
    interfaces: symbol ? interfacesOf(code, symbol) : [],
  };
}

async function callersOf(
  code: CodeStore,
  { path, name }: { readonly path: string; readonly name: string },
  signal: AbortSignal,
): Promise<PlacedSymbol[]> {
  const { hits } = await code.index.keyword({ query: name, limit: MAX_CALLERS * 4, words: "all", signal });
  const mention = new RegExp(
    `(?<![\\p{L}\\p{N}_$])${name.replace(/[^\p{L}\p{N}_]/gu, "\\$&")}(?![\\p{L}\\p{N}_$])`,
    "u",
  );
  const callers: PlacedSymbol[] = [];
  for (const { chunkId } of hits) {
    const chunk = readChunk(code, Number(chunkId));
    const file = chunk && readFile(code, fileOfChunk(chunk.id));
    const [symbol] = chunk?.symbols ?? [];
    if (!chunk || !file || !symbol || !isDeclared(symbol)) continue;
    if (file.path === path && chunk.symbols.some((declared) => declared.name === name)) continue;
    const lines = indexedLines(code, file.id).slice(
      Math.max(symbol.startLine, chunk.startLine) - 1,
      chunk.endLine,
    );
    if (!lines.some((line) => mention.test(line))) continue;
    callers.push(placed(symbol, file.path));
    if (callers.length >= MAX_CALLERS) break;
  }
  return callers;
}

function testsBeside({ store }: CodeStore, path: string): string[] {
  const directory = directoryOf(path);
  const rows = z.array(PathRow).parse(store.prepare("SELECT path FROM files").all());
  return rows
    .map((row) => row.path)
    .filter((other) => directoryOf(other) === directory && isTest(other))
    .sort(byCodeUnit);
}

/** Go's rule by names: a type implements an interface when it has all of its methods. */
function interfacesOf(code: CodeStore, symbol: PlacedSymbol): PlacedSymbol[] {
  const isType = symbol.kind === "struct" || symbol.kind === "type";
  const type = symbol.parent ?? (isType ? symbol.name : undefined);
  if (type === undefined || !symbol.path.endsWith(".go")) return [];
  const methods = methodsOfType(code, type, directoryOf(symbol.path));
  if (methods.size === 0) return [];
  const found: PlacedSymbol[] = [];
  for (const chunk of chunksHolding(code, '"kind":"interface"')) {
    const file = readFile(code, fileOfChunk(chunk.id));
    const [declared] = chunk.symbols;
    if (!file?.path.endsWith(".go") || !declared) continue;
    const wanted = methodsListed(code, file.id, declared);
    if (wanted.length > 0 && wanted.every((name) => methods.has(name)))
      found.push(placed(declared, file.path));
    if (found.length >= MAX_INTERFACES) break;
  }
  return found;
}

/** In Go the methods of a type stand anywhere in its package. */
function methodsOfType(code: CodeStore, type: string, directory: string): ReadonlySet<string> {
  const methods = new Set<string>();
  for (const chunk of chunksHolding(code, `"parent":${JSON.stringify(type)}`)) {
    const file = readFile(code, fileOfChunk(chunk.id));
    if (!file || directoryOf(file.path) !== directory) continue;
    for (const { name, parent } of chunk.symbols) if (parent === type) methods.add(name);
  }
  return methods;
}

/** The method names an interface's source lists. */
function methodsListed(code: CodeStore, fileId: number, declared: StoredSymbol): string[] {
  const body = indexedLines(code, fileId).slice(declared.startLine, declared.endLine - 1);
  return body.flatMap((text) => /^\s*([\p{L}_][\p{L}\p{N}_]*)\(/u.exec(text)?.[1] ?? []);
}
