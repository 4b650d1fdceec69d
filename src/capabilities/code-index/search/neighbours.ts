import { z } from "zod";
import { byCodeUnit } from "../../../core/order.ts";
import { directoryOf } from "../prepare/document.ts";
import { isTest } from "../scan/discover.ts";
import type { CodeStore } from "../store/code-store.ts";
import {
  chunksHolding,
  type FileRow,
  readChunk,
  readFile,
  type StoredSymbol,
} from "../store/stored-chunks.ts";
import { readLines } from "../store/stored-contents.ts";
import { fileOfChunk } from "../store/tables.ts";
import { isDeclared, type PlacedSymbol, placed, symbolsOfFile } from "./symbols.ts";

export interface Neighbours {
  /** Symbols whose source calls, or mentions, this one by name. */
  readonly callers: readonly PlacedSymbol[];
  /** Test files beside the file. */
  readonly tests: readonly string[];
  /** Interfaces all of whose methods the type has, for a type or a method of one. */
  readonly interfaces: readonly PlacedSymbol[];
}

const MAX_CALLERS = 3;
/** Chunks with the name in them that are looked at for callers. */
const MENTIONS = 32;
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
  const { hits } = await code.index.keyword({ query: name, limit: MENTIONS, words: "all", signal });
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
    const lines = readLines(code.store, file, Math.max(symbol.startLine, chunk.startLine), chunk.endLine);
    if (!lines.some((line) => mention.test(line))) continue;
    callers.push(placed(symbol, file.path));
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

/** Go's rule by names: a type implements an interface when it has all of its methods. */
function interfacesOf(code: CodeStore, symbol: PlacedSymbol): PlacedSymbol[] {
  const isType = symbol.kind === "struct" || symbol.kind === "type";
  const type = symbol.parent ?? (isType ? symbol.name : undefined);
  if (type === undefined || !symbol.path.endsWith(".go")) return [];
  const methods = methodsOfType(code, type, directoryOf(symbol.path));
  if (methods.size === 0) return [];
  return interfacesIn(code)
    .filter(({ wanted }) => wanted.every((name) => methods.has(name)))
    .slice(0, MAX_INTERFACES)
    .map(({ declared }) => declared);
}

interface Interface {
  readonly declared: PlacedSymbol;
  readonly wanted: readonly string[];
}

/** Finding them reads the whole table, and they stay the same as long as the index does. */
function interfacesIn(code: CodeStore): readonly Interface[] {
  const generation = code.index.generation();
  const known = interfacesKnown.get(code);
  if (known?.generation === generation) return known.interfaces;
  const interfaces: Interface[] = [];
  for (const chunk of chunksHolding(code, '"kind":"interface"')) {
    const file = readFile(code, fileOfChunk(chunk.id));
    const [declared] = chunk.symbols;
    if (!file?.path.endsWith(".go") || !declared) continue;
    const wanted = methodsListed(code, file, declared);
    if (wanted.length > 0) interfaces.push({ declared: placed(declared, file.path), wanted });
  }
  interfacesKnown.set(code, { generation, interfaces });
  return interfaces;
}

const interfacesKnown = new WeakMap<
  CodeStore,
  { readonly generation: number; readonly interfaces: readonly Interface[] }
>();

/** In Go the methods of a type stand anywhere in its package. */
function methodsOfType(code: CodeStore, type: string, directory: string): ReadonlySet<string> {
  const symbols = filesIn(code, directory)
    .filter(({ path }) => path.endsWith(".go"))
    .flatMap(({ path }) => symbolsOfFile(code, path));
  return new Set(symbols.filter(({ parent }) => parent === type).map(({ name }) => name));
}

/** The files of one directory, without those below it. */
function filesIn({ store }: CodeStore, directory: string): { readonly path: string }[] {
  const rows =
    directory === "" || directory === "."
      ? store.prepare("SELECT path FROM files").all()
      : // "0" is what follows "/": a range the index on paths answers.
        store
          .prepare("SELECT path FROM files WHERE path > ? AND path < ?")
          .all(`${directory}/`, `${directory}0`);
  return z
    .array(PathRow)
    .parse(rows)
    .filter(({ path }) => directoryOf(path) === directory);
}

/** The method names an interface's source lists. */
function methodsListed({ store }: CodeStore, file: FileRow, declared: StoredSymbol): string[] {
  const body = readLines(store, file, declared.startLine + 1, declared.endLine - 1);
  return body.flatMap((text) => /^\s*([\p{L}_][\p{L}\p{N}_]*)\(/u.exec(text)?.[1] ?? []);
}
