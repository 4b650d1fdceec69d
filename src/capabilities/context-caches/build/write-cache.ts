import { mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { syncDirectory } from "../../../core/files/atomic-write.ts";
import type { Progress } from "../../../core/progress.ts";
import { type CachedDocument, decodeUtf8, fileOf, versionOf } from "../document.ts";
import { cacheFailure } from "../failures.ts";
import { indexText, type ManifestEntry, manifestText } from "../manifest.ts";
import { type CacheSource, unreadable } from "./sources.ts";

/** Documents read and written at the same time: most of the time is spent waiting for the disk. */
const AT_ONCE = 32;

interface WriteCacheOptions {
  readonly root: string;
  readonly sources: readonly CacheSource[];
  /** A directory that does not exist yet, on the file system of the cache. */
  readonly into: string;
  readonly createdAt: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Writes a whole cache and syncs it. A failure leaves nothing. */
export async function writeCache(order: WriteCacheOptions): Promise<void> {
  const { into, sources, progress, signal } = order;
  try {
    await mkdir(join(into, "documents"), { recursive: true });
    const entries: ManifestEntry[] = [];
    const pathOf = new Map<string, string>();
    for (let start = 0; start < sources.length; start += AT_ONCE) {
      signal.throwIfAborted();
      const batch = sources.slice(start, start + AT_ONCE);
      const documents = await allOf(batch.map((source) => readSource(order.root, source)));
      for (const document of documents) refuseDuplicateContent(pathOf, document);
      await allOf(documents.map((document) => writeDocument(into, document)));
      entries.push(...documents.map(entryOf));
      progress.report({ done: entries.length, total: sources.length, label: "documents" });
    }
    await writeSynced(join(into, "index.json"), indexText(entries));
    await writeSynced(join(into, "manifest.json"), manifestText(entries, order.createdAt));
    await checkWhole(into, entries);
    await syncDirectory(join(into, "documents"));
    await syncDirectory(into);
  } catch (thrown) {
    await rm(into, { recursive: true, force: true });
    throw thrown;
  }
}

/**
 * Waits for all before it throws: the error is then always that of the first item, and no write is still running in a
 * directory that is being removed.
 */
async function allOf<T>(work: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

async function readSource(root: string, { id, path }: CacheSource): Promise<CachedDocument> {
  const bytes = await readFile(join(root, path)).catch((thrown: unknown) => {
    throw unreadable(path, thrown);
  });
  const content = decodeUtf8(bytes);
  if (content === undefined)
    throw cacheFailure("internal_error", {
      message: `${path} is not valid UTF-8. Convert it or leave it out.`,
    });
  return { id, version: versionOf(bytes), source: path, content, metadata: {} };
}

/** Files are named after their content, so two documents with the same content cannot both be in a cache. */
function refuseDuplicateContent(pathOf: Map<string, string>, { version, source }: CachedDocument): void {
  const file = fileOf(version);
  const twin = pathOf.get(file);
  if (twin !== undefined)
    throw cacheFailure("internal_error", {
      message: `${twin} and ${source} have the same content. A cache holds each content once: leave one of them out.`,
    });
  pathOf.set(file, source);
}

/** Another program may have removed files that looked temporary. */
async function checkWhole(into: string, entries: readonly ManifestEntry[]): Promise<void> {
  const written = new Set(await readdir(join(into, "documents")));
  const gone = entries.find(({ file }) => !written.has(basename(file)));
  if (gone !== undefined)
    throw cacheFailure("io_error", {
      message: `${gone.id} was taken out of the cache while it was built. Build it again.`,
    });
}

const entryOf = ({ id, version }: CachedDocument): ManifestEntry => ({ id, version, file: fileOf(version) });

const writeDocument = (into: string, document: CachedDocument) =>
  writeSynced(join(into, fileOf(document.version)), JSON.stringify(document));

async function writeSynced(file: string, text: string): Promise<void> {
  const handle = await open(file, "wx");
  try {
    await handle.writeFile(text);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
