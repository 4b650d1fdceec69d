import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { type LanguageId, loadLanguage } from "../../core/parse/parse.ts";
import { type IndexedDocument, type PreparedBatch, prepareDocuments } from "../../core/search/index.ts";
import type { VectorMaker } from "../../core/search/vectors/vector-maker.ts";
import { splitLines } from "./content.ts";
import { MAX_SOURCE_BYTES } from "./discover.ts";
import { directoryOf, documentOf } from "./document.ts";
import { openImportPaths } from "./import-paths.ts";
import { NO_HEADER, type Outline, outlineOf } from "./outline.ts";
import { fileSymbol } from "./outlined.ts";
import { packSymbols } from "./packed-symbols.ts";
import { plainPieces } from "./plain-pieces.ts";
import { type ContentBlock, packContent } from "./stored-contents.ts";

export interface FileToPrepare {
  readonly id: number;
  readonly path: string;
  readonly language: LanguageId | undefined;
  readonly size: number;
  readonly ctimeMs: number;
  /** Content with this hash is already indexed. */
  readonly knownHash?: string;
}
export interface PreparedFile extends FileToPrepare {
  readonly hash: string;
  readonly packageName: string;
  readonly symbols: number;
  readonly header: Outline["header"];
  readonly problem?: string;
  readonly content: readonly ContentBlock[];
  readonly chunks: readonly {
    readonly startLine: number;
    readonly endLine: number;
    readonly symbols: string;
  }[];
}
export interface PreparedFiles {
  readonly files: readonly PreparedFile[];
  /** Touched, but with the content that is indexed. */
  readonly unchanged: readonly FileToPrepare[];
  /** Neither indexed nor to be kept: gone, unreadable, or not text. `error` is told where a person would ask. */
  readonly left: readonly LeftFile[];
  readonly batch: PreparedBatch;
}
interface Refusal {
  readonly error: string | undefined;
  /** As long as the file is the same; what could not be read this time may be readable next time. */
  readonly isFinal: boolean;
}
export interface LeftFile extends Refusal {
  readonly file: FileToPrepare;
}
export interface Task {
  readonly root: string;
  readonly moduleName: string;
  readonly files: readonly FileToPrepare[];
}

/** All that can be done about a batch of files without the database; runs in any thread. */
export async function prepareFiles(task: Task, model: VectorMaker | undefined): Promise<PreparedFiles> {
  const files: PreparedFile[] = [];
  const unchanged: FileToPrepare[] = [];
  const left: LeftFile[] = [];
  const documents: IndexedDocument[] = [];
  const importPath = openImportPaths(task.root, task.moduleName);
  for (const file of task.files) {
    const read = readSource(join(task.root, file.path), file);
    if ("error" in read) {
      left.push({ file, ...read });
      continue;
    }
    if (read.hash === file.knownHash) {
      unchanged.push(file);
      continue;
    }
    const { prepared, document } = await prepareFile(file, read, await importPath(directoryOf(file.path)));
    files.push(prepared);
    documents.push(document);
  }
  return { files, unchanged, left, batch: prepareDocuments(documents, model) };
}

interface Read {
  readonly bytes: Buffer;
  readonly hash: string;
}

/** Opens without following a link, so that a file exchanged for one since the scan leads nowhere. */
function readSource(path: string, file: FileToPrepare): Read | Refusal {
  try {
    const handle = openSync(
      path,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
    try {
      const stat = fstatSync(handle);
      if (!stat.isFile()) return { error: undefined, isFinal: false };
      if (stat.size > MAX_SOURCE_BYTES) return { error: "the file is too large to index", isFinal: true };
      const bytes = readFileSync(handle);
      if (bytes.includes(0)) {
        return { error: file.language && "the file is binary, not source text", isFinal: true };
      }
      return { bytes, hash: sha256(bytes) };
    } finally {
      closeSync(handle);
    }
  } catch (thrown) {
    const code = errnoOf(thrown);
    if (code === undefined) throw thrown;
    const isGone = code === "ENOENT" || code === "ELOOP";
    return { error: isGone ? undefined : `the file cannot be read (${code})`, isFinal: false };
  }
}

async function prepareFile(file: FileToPrepare, { bytes, hash }: Read, importPath: string) {
  const text = bytes.toString("utf8");
  const lines = splitLines(text);
  const parsed = file.language && (await loadLanguage(file.language))(text);
  const outline = parsed ? outlineOf(file.path, lines, parsed) : plainOutline(file.path, lines);
  const packageName = parsed?.packageName ?? "";
  const problem = parsed?.problems[0];
  const prepared: PreparedFile = {
    ...file,
    hash,
    packageName,
    symbols: outline.symbolCount,
    header: outline.header,
    ...(problem && { problem: `${problem.message} (line ${problem.line})` }),
    content: packContent(bytes),
    chunks: outline.chunks.map(({ startLine, endLine, symbols }) => ({
      startLine,
      endLine,
      symbols: packSymbols(symbols),
    })),
  };
  const document = documentOf({ importPath, file, packageName, lines, chunks: outline.chunks });
  return { prepared, document };
}

function plainOutline(path: string, lines: readonly string[]): Outline {
  const pieces = plainPieces(lines, { startLine: 1, endLine: lines.length });
  return {
    chunks: pieces.map((piece) => ({ ...piece, symbols: [fileSymbol(path, piece)] })),
    symbolCount: 0,
    header: NO_HEADER,
  };
}
