import { z } from "zod";
import type { CodeSymbol } from "../prepare/chunk.ts";
import { directoryOf } from "../scan/import-paths.ts";
import type { IndexedSymbol } from "../schemas.ts";
import { indexedSymbol, symbolsOfFile } from "../search/symbols.ts";
import type { CodeStore } from "../store/code-store.ts";
import { chunksOfKind } from "../store/stored-chunks.ts";
import { readLines } from "../store/stored-contents.ts";
import { readFile, type StoredFile } from "../store/stored-files.ts";
import { fileOfChunk } from "../store/tables.ts";
import type { Definition } from "./navigator.ts";

const MAX_INTERFACES = 20;
const PathRow = z.object({ path: z.string() });

/** The interfaces of a Go type, or of a method's type. Go's rule, by names: the type has all methods of the interface. */
export function interfacesOf(code: CodeStore, { kind, parent, name, file }: Definition): IndexedSymbol[] {
  if (file.language !== "go") return [];
  const type = parent === "" && (kind === "struct" || kind === "type") ? name : parent;
  if (type === "") return [];
  const methods = methodsOfType(code, type, directoryOf(file.path));
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
  for (const chunk of chunksOfKind(code, "interface")) {
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
