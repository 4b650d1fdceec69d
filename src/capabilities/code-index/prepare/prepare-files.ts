import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { redactSecrets, stripInvisible } from "../../../core/hygiene/index.ts";
import {
  documentLanguageOf,
  type LineRange,
  loadLanguage,
  type ParsedFile,
} from "../../../core/parse/parse.ts";
import {
  type IndexedDocument,
  type PreparedBatch,
  prepareDocuments,
  type VectorMaker,
} from "../../../core/search/index.ts";
import { packNames } from "../navigation/file-names.ts";
import type { FileToPrepare } from "../scan/plan.ts";
import { packSymbols } from "../store/stored-chunks.ts";
import { type ContentBlock, packContent, splitLines } from "../store/stored-contents.ts";
import { chunkSource, chunkText } from "./chunk-file.ts";
import { documentOf } from "./document.ts";
import { beginningOf, isBrief, readSource, type SourceBytes, type SourceRefusal } from "./read-source.ts";

interface PreparedFile extends FileToPrepare {
  readonly hash: string;
  readonly packageName: string;
  readonly symbols: number;
  readonly header: LineRange;
  readonly problem?: string;
  readonly content: readonly ContentBlock[];
  /** See `packNames`. */
  readonly names: Uint8Array;
  /** Symbols are packed as they are stored. */
  readonly chunks: readonly (LineRange & { readonly symbols: string })[];
}
export interface PreparedFiles {
  readonly files: readonly PreparedFile[];
  /** Touched, but with the content that is indexed. */
  readonly unchanged: readonly FileToPrepare[];
  /** Files that cannot be indexed: gone, unreadable, or not text. */
  readonly refused: readonly RefusedFile[];
  readonly batch: PreparedBatch;
}
interface RefusedFile extends SourceRefusal {
  readonly file: FileToPrepare;
}
/** Files that are prepared together. */
export interface FileBatch {
  readonly root: string;
  readonly files: readonly FileToPrepare[];
}

/** Does everything for a batch of files that needs no database; runs in any thread. `signal` stops it between files. */
export async function prepareFiles(
  { root, files: toPrepare }: FileBatch,
  model: VectorMaker | undefined,
  signal?: AbortSignal,
): Promise<PreparedFiles> {
  const files: PreparedFile[] = [];
  const unchanged: FileToPrepare[] = [];
  const refused: RefusedFile[] = [];
  const documents: IndexedDocument[] = [];
  for (const file of toPrepare) {
    if (signal) await checkAborted(signal);
    const source = readSource(join(root, file.path), file.language);
    if ("error" in source) {
      refused.push({ file, ...source });
      continue;
    }
    if (source.hash === file.known?.hash && file.importPath === file.known.importPath) {
      unchanged.push(file);
      continue;
    }
    const { prepared, document } = await prepareFile(file, source);
    files.push(prepared);
    documents.push(document);
  }
  // A better model reads the texts of the files, which the index has anyway.
  const batch = prepareDocuments(documents, model, { keepsTexts: false });
  return { files, unchanged, refused, batch };
}

/** Yields to the event loop first: an abort cannot arrive before it runs. */
async function checkAborted(signal: AbortSignal): Promise<void> {
  await nextTurn();
  signal.throwIfAborted();
}

async function prepareFile(file: FileToPrepare, { bytes: read, hash }: SourceBytes) {
  const isCut = isBrief(read, file.language);
  // Before anything is taken from it, and before it is cut: half a secret is not recognised.
  const all = withoutSecrets(read);
  const bytes = isCut ? beginningOf(all) : all;
  const text = bytes.toString("utf8");
  const lines = splitLines(text);
  const parsed =
    file.language && !isCut ? (await loadLanguage(file.language))(text, { withReferences: true }) : undefined;
  const { chunks, symbolCount, header } = parsed
    ? chunkSource(file.path, lines, parsed)
    : chunkText(file.path, lines, await outlineOf(file.path, text));
  const packageName = parsed?.packageName ?? "";
  const problem = parsed?.problems[0];
  const prepared: PreparedFile = {
    ...file,
    hash,
    packageName,
    symbols: symbolCount,
    header,
    ...(problem && { problem: `${problem.message} (line ${problem.line})` }),
    content: packContent(bytes),
    names: parsed ? packNames(parsed) : new Uint8Array(),
    chunks: chunks.map((chunk) => ({
      startLine: chunk.startLine,
      endLine: chunk.endLine,
      symbols: packSymbols(chunk),
    })),
  };
  return { prepared, document: documentOf({ file, packageName, lines, chunks }) };
}

/** Headings and top-level keys, if the file is prose or data that has them. */
async function outlineOf(path: string, text: string): Promise<ParsedFile | undefined> {
  const language = documentLanguageOf(path);
  return language && (await loadLanguage(language))(text);
}

/** What search results would not show is not stored either. Lines keep their numbers. */
function withoutSecrets(bytes: Buffer): Buffer {
  const { text: visible, removed } = stripInvisible(bytes.toString("utf8"));
  const { text, found } = redactSecrets(visible);
  return removed === 0 && found.length === 0 ? bytes : Buffer.from(text);
}
