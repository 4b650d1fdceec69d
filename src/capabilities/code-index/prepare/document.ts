import { kindsOf } from "../../../core/files/path-kinds.ts";
import type { Chunk, IndexedDocument } from "../../../core/search/index.ts";
import { directoryOf } from "../scan/import-paths.ts";
import type { FileToPrepare } from "../scan/plan.ts";
import { CHUNKS_PER_FILE } from "../store/tables.ts";
import type { CodeChunk, CodeSymbol } from "./chunk.ts";

interface ChunkedSource {
  readonly file: FileToPrepare;
  readonly packageName: string;
  readonly lines: readonly string[];
  readonly chunks: readonly CodeChunk[];
}

/** No embedder reads more than this. */
const EMBEDDED_LENGTH = 1_000;
/** A hundred lines with more text are data. */
const MAX_BODY = 40_000;

/** Turns a file into a document of the search index. */
export function documentOf(source: ChunkedSource): IndexedDocument {
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
      .map((chunk, position) => chunkOf(source, chunk, file.id * CHUNKS_PER_FILE + position)),
  };
}

function chunkOf({ file, lines }: ChunkedSource, chunk: CodeChunk, id: number): Chunk {
  const [first] = chunk.symbols;
  const body = bodyOf(chunk, (from, to) => lines.slice(from - 1, to));
  const role = first?.isTest ? "test" : isForwardDeclaration(file, first) ? "declaration" : undefined;
  return {
    id: String(id),
    ...namesOf(chunk),
    doc: first && !isLaterPart(chunk) ? first.doc : "",
    body,
    embedText: embeddedText(file.path, chunk, body),
    attributes: {
      kind: first?.kind ?? "file",
      ...(first && first.ddd.length > 0 && { ddd: first.ddd }),
      ...(role !== undefined && { role }),
      ...(first && isPart(chunk) && { long_function: String(first.startLine) }),
    },
    priority: priorityOf(file.path, first),
  };
}

type ReadLines = (from: number, to: number) => readonly string[];

/** Leaves out the doc comment: it is a field of its own, and its words would count twice. */
export function bodyOf({ startLine, endLine, docLines }: CodeChunk, linesOf: ReadLines): string {
  const above = docLines && docLines.startLine > startLine ? linesOf(startLine, docLines.startLine - 1) : [];
  const lines = [...above, ...linesOf(Math.max(startLine, (docLines?.endLine ?? 0) + 1), endLine)];
  return lines.join("\n").slice(0, MAX_BODY);
}

/** Words of all symbols count as a title, but a field is no answer to its name if anything else has it. */
function namesOf(chunk: CodeChunk): Pick<Chunk, "title" | "names" | "memberNames"> {
  const { symbols, members = [] } = chunk;
  const fields = symbols.filter(({ kind }) => kind === "field");
  return {
    title: symbols.map(titleOf).join("\n"),
    names: isLaterPart(chunk) ? [] : symbols.filter(({ kind }) => kind !== "field").map(titleOf),
    memberNames: [...fields, ...members].map(({ name }) => name),
  };
}

const titleOf = ({ name, parent }: CodeSymbol) => (parent ? `${parent}.${name}` : name);

/** Splits names into words: a language model reads `parse file`, not `ParseFile`. The path says what the file is. */
export function embeddedText(path: string, chunk: CodeChunk, body: string): string {
  const parts = [splitNames(pathWords(path)), ...headOf(chunk), body];
  return parts
    .filter((part) => part !== "")
    .join("\n")
    .slice(0, EMBEDDED_LENGTH);
}

/** A later part of a long function has only its name: signature and comment describe the whole, and would hide the part. */
function headOf(chunk: CodeChunk): string[] {
  const [first] = chunk.symbols;
  if (first === undefined) return [];
  if (isLaterPart(chunk)) return [splitNames(titleOf(first))];
  return [first.kind === "file" ? "" : splitNames(first.signature), first.doc];
}

/** A function of C that a source file declares before its definition. Headers are known by their path. */
const isForwardDeclaration = ({ path }: FileToPrepare, symbol: CodeSymbol | undefined): boolean =>
  symbol?.isDeclaredOnly === true && symbol.kind === "function" && /\.(?:c|cc|cpp|cxx)$/.test(path);

/** A function of more lines than a chunk has. A long class is described by its members. */
const isPart = ({ startLine, endLine, symbols: [first] }: CodeChunk): boolean =>
  first !== undefined &&
  FUNCTIONS.has(first.kind) &&
  (startLine > first.startLine || endLine < first.endLine);

const isLaterPart = (chunk: CodeChunk): boolean =>
  isPart(chunk) && chunk.startLine > (chunk.symbols[0]?.startLine ?? 0);

const FUNCTIONS: ReadonlySet<string> = new Set(["function", "method"]);

const pathWords = (path: string) => path.replace(/\.\w+$/, "").replace(/[/.-]+/g, " ");

const splitNames = (signature: string) =>
  signature
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .replaceAll("_", " ");

/** The better model embeds first what people ask for most. */
function priorityOf(path: string, symbol: CodeSymbol | undefined): number {
  if (symbol === undefined || symbol.kind === "file") return 40;
  const base = symbol.kind === "const" || symbol.kind === "var" ? 60 : 120;
  const bonus = (symbol.exported ? 60 : 0) + (symbol.doc === "" ? 0 : 40);
  return kindsOf(path).includes("test") || symbol.isTest ? Math.floor((base + bonus) / 4) : base + bonus;
}
