import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { type LanguageId, loadLanguage } from "../../../core/parse/parse.ts";
import { type IndexedDocument, type PreparedBatch, prepareDocuments } from "../../../core/search/index.ts";
import type { VectorMaker } from "../../../core/search/vectors/vector-maker.ts";
import { splitLines } from "../search/content.ts";
import { packSymbols } from "../store/packed-symbols.ts";
import { type ContentBlock, packContent } from "../store/stored-contents.ts";
import { type Outline, outlineOf, plainOutline } from "./chunk-file.ts";
import { documentOf } from "./document.ts";
import { beginningOf, isMinified } from "./minified.ts";
import { type ReadSource, type Refusal, readSource } from "./read-source.ts";

export interface FileToPrepare {
  readonly id: number;
  readonly path: string;
  readonly language: LanguageId | undefined;
  readonly size: number;
  readonly ctimeMs: number;
  readonly importPath: string;
  /** What is indexed of it now, if anything. */
  readonly known?: { readonly hash: string; readonly importPath: string };
}
interface PreparedFile extends FileToPrepare {
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
  /** Touched, but as it is indexed. */
  readonly unchanged: readonly FileToPrepare[];
  /** Neither indexed nor to be kept: gone, unreadable, or not text. */
  readonly left: readonly LeftFile[];
  readonly batch: PreparedBatch;
}
interface LeftFile extends Refusal {
  readonly file: FileToPrepare;
}
export interface Task {
  readonly root: string;
  readonly files: readonly FileToPrepare[];
}

/** All that can be done about a batch of files without the database; runs in any thread. `signal` stops it between files. */
export async function prepareFiles(
  task: Task,
  model: VectorMaker | undefined,
  signal?: AbortSignal,
): Promise<PreparedFiles> {
  const files: PreparedFile[] = [];
  const unchanged: FileToPrepare[] = [];
  const left: LeftFile[] = [];
  const documents: IndexedDocument[] = [];
  for (const file of task.files) {
    if (signal) await lookUp(signal);
    const read = readSource(join(task.root, file.path), file.language);
    if ("error" in read) {
      left.push({ file, ...read });
      continue;
    }
    if (read.hash === file.known?.hash && file.importPath === file.known.importPath) {
      unchanged.push(file);
      continue;
    }
    const { prepared, document } = await prepareFile(file, read);
    files.push(prepared);
    documents.push(document);
  }
  return { files, unchanged, left, batch: prepareDocuments(documents, model) };
}

/** Gives the event loop a turn: without one no stop would arrive before the batch is done. */
async function lookUp(signal: AbortSignal): Promise<void> {
  await turn();
  signal.throwIfAborted();
}

async function prepareFile(file: FileToPrepare, { bytes: all, hash }: ReadSource) {
  const isCut = isMinified(all, file.language);
  const bytes = isCut ? beginningOf(all) : all;
  const text = bytes.toString("utf8");
  const lines = splitLines(text);
  const parsed = file.language && !isCut ? (await loadLanguage(file.language))(text) : undefined;
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
  const document = documentOf({ file, packageName, lines, chunks: outline.chunks });
  return { prepared, document };
}
