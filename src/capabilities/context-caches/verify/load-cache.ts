import { join } from "node:path";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { type FileReader, fileStamp, lstatIfPresent, makeFileReader } from "../cache-files.ts";
import { CachedDocument, parseJsonBytes, versionOf } from "../document.ts";
import { cacheFailure } from "../failures.ts";
import { type ManifestEntry, readManifest } from "../manifest.ts";
import { makeWordIndex, type WordIndex } from "../resolve/word-index.ts";

/** How many documents are read before other work and the signal get a turn. */
const SLICE = 64;

export interface LoadedDocument {
  readonly id: string;
  readonly version: string;
  /** UTF-8: takes half the memory of a string with any character that is not Latin-1. */
  readonly content: Buffer;
  /** True while the document is the file that was read. */
  isCurrent(): boolean;
}

/** A cache that was read and verified, with its documents in the order of ids. */
export interface LoadedCache {
  readonly documents: readonly LoadedDocument[];
  /** Undefined if there are too many different words; texts are then split for every query. */
  readonly index: WordIndex | undefined;
  readonly bytes: number;
  /** True while the manifest and the documents folder are unchanged. */
  isCurrent(): boolean;
}

/** Reads a whole cache and checks every document against the manifest. Nothing outside the directory is read. */
export async function loadCache(directory: string, signal: AbortSignal): Promise<LoadedCache> {
  const watched = ["manifest.json", "documents"].map((name) => join(directory, name));
  const stamps = watched.map(fileStamp);
  const read = makeFileReader();
  const entries = entriesOf(read(join(directory, "manifest.json")));
  if (!hasFolder(directory, entries)) throw cacheFailure("cache_invalid");
  const words = makeWordIndex();
  const documents: LoadedDocument[] = [];
  for (const [place, entry] of entries.entries()) {
    if (place % SLICE === 0) {
      signal.throwIfAborted();
      await yieldToEventLoop();
    }
    documents.push(loadDocument(join(directory, entry.file), entry, { read, learn: words.add }));
  }
  return {
    documents,
    index: words.finish(),
    bytes: documents.reduce((sum, { content }) => sum + content.length, 0),
    isCurrent: () => watched.every((file, place) => fileStamp(file) === stamps[place]),
  };
}

/** The documents folder must be a real directory: behind a link, documents could be anywhere. */
export function hasFolder(directory: string, entries: readonly unknown[]): boolean {
  const folder = lstatIfPresent(join(directory, "documents"));
  return folder?.isDirectory() ?? entries.length === 0;
}

function entriesOf(bytes: Uint8Array): readonly ManifestEntry[] {
  const read = readManifest(bytes);
  if (!("manifest" in read) || read.problems.length > 0) throw cacheFailure("cache_invalid");
  return read.manifest.documents;
}

interface DocumentLoader {
  readonly read: FileReader;
  learn(text: string): void;
}

function loadDocument(file: string, entry: ManifestEntry, { read, learn }: DocumentLoader): LoadedDocument {
  const stamp = fileStamp(file);
  const { text, content } = contentOf(read(file), entry);
  learn(text);
  const { id, version } = entry;
  return { id, version, content, isCurrent: () => fileStamp(file) === stamp };
}

/** The content of one document, which must be the one the manifest lists. */
export function contentOf(
  bytes: Uint8Array,
  entry: ManifestEntry,
): { readonly text: string; readonly content: Buffer } {
  const document = CachedDocument.safeParse(parseJsonBytes(bytes));
  if (!document.success || document.data.id !== entry.id || document.data.version !== entry.version)
    throw cacheFailure("cache_invalid");
  const text = document.data.content;
  // A lone surrogate has no UTF-8 form; its hash would be that of another text.
  if (/\p{Surrogate}/u.test(text)) throw cacheFailure("cache_invalid");
  const content = Buffer.from(text);
  if (versionOf(content) !== entry.version) throw cacheFailure("cache_invalid");
  return { text, content };
}
