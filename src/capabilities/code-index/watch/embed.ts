import { statSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { DomainError } from "../../../core/errors.ts";
import { acquireLock } from "../../../core/lock/lock.ts";
import type { Logger } from "../../../core/logger.ts";
import { type Progress, silentProgress } from "../../../core/progress.ts";
import type { Embeddings } from "../../../core/search/index.ts";
import { bodyOf, embeddedText } from "../prepare/document.ts";
import { type CodeStore, openCodeStore } from "../store/code-store.ts";
import { currentIndexFile } from "../store/generations.ts";
import type { CodeProject } from "../store/project.ts";
import { lockProject } from "../store/run-lock.ts";
import { readChunk } from "../store/stored-chunks.ts";
import { readLines } from "../store/stored-contents.ts";
import { readFile } from "../store/stored-files.ts";
import { fileOfChunk } from "../store/tables.ts";

interface EmbeddingWork {
  /** By directory; projects may be added while it runs. */
  readonly projects: ReadonlyMap<string, CodeProject>;
  readonly embeddings: Embeddings;
  readonly logger: Logger;
}

const CHECK_EVERY_MS = 10_000;
/** How long a round of vectors waits for a run that is indexing. */
const LOCK_WAIT_MS = 60_000;

/**
 * Embeds in rounds what the models have not embedded in a project's index. Each round is written under the index's lock, and only into
 * the published generation; a newer one is left to the next call.
 */
export async function embedProject(
  project: CodeProject,
  embeddings: Embeddings,
  { signal, progress = silentProgress }: { readonly signal: AbortSignal; readonly progress?: Progress },
): Promise<void> {
  const file = currentIndexFile(project);
  if (file === undefined) return;
  using code = await openCodeStore(file, embeddings);
  const replaced = new AbortController();
  const write = async (run: () => void) => {
    using _lock = await lockProject(project, LOCK_WAIT_MS);
    if (currentIndexFile(project) === file) run();
    else replaced.abort();
  };
  try {
    await code.index.upgrade({
      signal: AbortSignal.any([signal, replaced.signal]),
      progress,
      write,
      textOf: (chunkId) => embeddedTextOf(code, Number(chunkId)),
    });
  } catch (thrown) {
    if (!replaced.signal.aborted || signal.aborted) throw thrown;
  }
}

/** The text of a chunk as it was embedded when its file was indexed. */
function embeddedTextOf(code: CodeStore, chunkId: number): string {
  const chunk = readChunk(code, chunkId);
  const file = readFile(code, fileOfChunk(chunkId));
  if (!chunk || !file) return "";
  const body = bodyOf(chunk, (from, to) => readLines(code.store, file, from, to));
  return embeddedText(file.path, chunk, body);
}

/** Embeds each project, and again whenever its index changes, until `signal` aborts. Failures go to the log. */
export async function embedInBackground(work: EmbeddingWork, signal: AbortSignal): Promise<void> {
  const embedded = new Map<string, string>();
  while (!signal.aborted) {
    for (const [directory, project] of work.projects) {
      if (indexStamp(project) === embedded.get(directory)) continue;
      embedded.set(directory, (await tryEmbed(project, work, signal)) ? indexStamp(project) : "");
    }
    await pause(CHECK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** Returns false if another process embeds this project: one is enough. */
async function tryEmbed(
  project: CodeProject,
  { embeddings, logger }: EmbeddingWork,
  signal: AbortSignal,
): Promise<boolean> {
  if (currentIndexFile(project) === undefined) return true;
  try {
    using _lock = await acquireLock({
      directory: project.directory,
      name: "code-embedding",
      purpose: "embedding code",
    });
    await embedProject(project, embeddings, { signal });
    return true;
  } catch (thrown) {
    if (thrown instanceof DomainError && thrown.code === "busy") return false;
    if (!signal.aborted) logger.error("embedding in the background stopped:", thrown);
    return true;
  }
}

/** Changes with every publication and every write. */
function indexStamp(project: CodeProject): string {
  const file = currentIndexFile(project);
  if (file === undefined) return "";
  const stats = [file, `${file}-wal`].map((part) => statSync(part, { throwIfNoEntry: false }));
  return [file, ...stats.map((stat) => `${stat?.size} ${stat?.mtimeMs}`)].join("\n");
}
