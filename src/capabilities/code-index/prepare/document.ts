import type { Chunk, IndexedDocument } from "../../../core/search/index.ts";
import { isTest } from "../scan/discover.ts";
import { CHUNKS_PER_FILE } from "../store/tables.ts";
import type { OutlinedChunk, OutlinedSymbol } from "./chunk.ts";
import type { FileToPrepare } from "./prepare-files.ts";

interface Source {
  readonly file: FileToPrepare;
  readonly packageName: string;
  readonly lines: readonly string[];
  readonly chunks: readonly OutlinedChunk[];
}

/** No embedder reads more of a chunk. */
const EMBEDDED_LENGTH = 1_000;
/** More on a hundred lines is data. */
const MAX_BODY = 40_000;

/** A file as the search index takes it. */
export function documentOf(source: Source): IndexedDocument {
  const { file, chunks, packageName } = source;
  const directory = directoryOf(file.path);
  return {
    id: String(file.id),
    path: file.path,
    attributes: {
      path: file.path,
      language: file.language ?? "text",
      package: [...new Set([directory, packageName, file.importPath])].filter((name) => name !== ""),
    },
    chunks: chunks
      .slice(0, CHUNKS_PER_FILE)
      .map((chunk, place) => chunkOf(source, chunk, file.id * CHUNKS_PER_FILE + place)),
  };
}

/** The directory of a file, as the contract names a symbol's package; `.` at the root. */
export const directoryOf = (path: string): string => {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "." : path.slice(0, slash);
};

function chunkOf({ file, lines }: Source, chunk: OutlinedChunk, id: number): Chunk {
  const [first] = chunk.symbols;
  const doc = first?.doc ?? "";
  const body = bodyOf(chunk, lines).join("\n").slice(0, MAX_BODY);
  return {
    id: String(id),
    title: chunk.symbols.map(titleOf).join("\n"),
    doc,
    body,
    embedText: embedText(first, doc, body),
    attributes: {
      kind: first?.kind ?? "file",
      ...(first && first.ddd.length > 0 && { ddd: first.ddd }),
    },
    priority: priorityOf(file.path, first),
  };
}

/** The doc comment is a field of its own; in the body its words would count twice. */
function bodyOf({ startLine, endLine, documented }: OutlinedChunk, lines: readonly string[]): string[] {
  if (documented === undefined) return lines.slice(startLine - 1, endLine);
  const above = lines.slice(startLine - 1, documented.startLine - 1);
  return [...above, ...lines.slice(Math.max(startLine - 1, documented.endLine), endLine)];
}

const titleOf = ({ name, parent }: OutlinedSymbol) => (parent ? `${parent}.${name}` : name);

/** Names cut into words first: a model of language reads `parse file`, not `ParseFile`. */
function embedText(symbol: OutlinedSymbol | undefined, doc: string, body: string): string {
  const head = symbol && symbol.kind !== "file" ? spoken(symbol.signature) : (symbol?.signature ?? "");
  return `${head}\n${doc}\n${body}`.slice(0, EMBEDDED_LENGTH);
}

const spoken = (signature: string) =>
  signature
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .replaceAll("_", " ");

/** What people ask for most is embedded by the better model first. */
function priorityOf(path: string, symbol: OutlinedSymbol | undefined): number {
  if (symbol === undefined || symbol.kind === "file") return 40;
  const base = symbol.kind === "const" || symbol.kind === "var" ? 60 : 120;
  const merit = (symbol.exported ? 60 : 0) + (symbol.doc === "" ? 0 : 40);
  return isTest(path) ? Math.floor((base + merit) / 4) : base + merit;
}
