import { randomBytes } from "node:crypto";
import { mkdirSync, rmdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import { sha256 } from "../../../core/hash.ts";
import { applySteps, clearStaging, type JournalStep, recover, writeJournal } from "./journal.ts";
import { STAGING } from "./layout.ts";
import { asStoreError, readStoreFile, storePath } from "./read-file.ts";

/** New content of one file of the store; `undefined` removes it. */
export interface StoreFileChange {
  readonly path: string;
  readonly content: string | Uint8Array | undefined;
}

/** Each writer holds one open file. */
const MAX_WRITERS = 32;

/**
 * Writes all changes or none, even if the process is killed. Call it under the lock. False: all is written, but the disk
 * did not confirm that it survives a power failure.
 */
export async function commitChanges(
  directory: string,
  changes: readonly StoreFileChange[],
): Promise<boolean> {
  if (changes.length === 0) return true;
  let hasBegun = false;
  let isDurable = true;
  try {
    const steps = await stage(directory, changes);
    isDurable = await applySteps(directory, steps, () => {
      hasBegun = steps.length > 1;
    });
    hasBegun = false;
  } catch (thrown) {
    if (!hasBegun) throw asStoreError(thrown);
    await finishForward(directory, thrown);
    hasBegun = false;
  } finally {
    // After the first step the journal stays until all are done: the next holder of the lock finishes them.
    if (!hasBegun) clearQuietly(directory);
  }
  for (const { path, content } of changes) if (content === undefined) removeEmptyFolders(directory, path);
  return isDurable;
}

/** A change that has begun cannot be taken back, so the rest is tried once more. */
async function finishForward(directory: string, cause: unknown): Promise<void> {
  try {
    await recover(directory);
  } catch {
    throw new DomainError(
      "unavailable",
      "The disk refused a part of the write. The write has begun, and the next call finishes it. Check the disk.",
      { reason: "unfinished", cause },
    );
  }
}

async function stage(directory: string, changes: readonly StoreFileChange[]): Promise<JournalStep[]> {
  for (const { path } of changes) {
    mkdirSync(dirname(storePath(directory, path)), { recursive: true });
  }
  mkdirSync(join(directory, STAGING), { recursive: true });
  const steps = changes.map((change) => stepOf(directory, change)).filter((step) => step !== undefined);
  const contents = new Map(changes.map(({ path, content }) => [path, content]));
  const files = Promise.allSettled(writeAllStaged(directory, steps, contents));
  try {
    // A single step is atomic. The journal is written in parallel with the files: its hashes show whether they are complete.
    if (steps.length > 1) writeJournal(directory, steps);
  } finally {
    // Also if the journal failed: the caller then clears the directory that the files are written to.
    await files;
  }
  for (const result of await files) if (result.status === "rejected") throw result.reason;
  return steps;
}

/** In parallel, because each write waits for the disk. */
function writeAllStaged(
  directory: string,
  steps: readonly JournalStep[],
  contents: ReadonlyMap<string, string | Uint8Array | undefined>,
): Promise<void>[] {
  const queue = steps.filter((step) => "staged" in step);
  const writer = async () => {
    for (let step = queue.pop(); step !== undefined; step = queue.pop()) {
      await writeStaged(directory, step, contents);
    }
  };
  return Array.from({ length: Math.min(MAX_WRITERS, queue.length) }, writer);
}

function stepOf(directory: string, { path, content }: StoreFileChange): JournalStep | undefined {
  if (content !== undefined) {
    return { path, staged: randomBytes(8).toString("hex"), sha256: sha256(content) };
  }
  const read = readStoreFile(directory, path);
  return read === undefined ? undefined : { path, removed: true, sha256: sha256(read.bytes) };
}

async function writeStaged(
  directory: string,
  step: Extract<JournalStep, { staged: string }>,
  contents: ReadonlyMap<string, string | Uint8Array | undefined>,
): Promise<void> {
  const handle = await open(join(directory, STAGING, step.staged), "wx", 0o644);
  try {
    await handle.writeFile(contents.get(step.path) ?? "");
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function clearQuietly(directory: string): void {
  try {
    clearStaging(directory);
  } catch {
    // The next transaction clears it.
  }
}

function removeEmptyFolders(directory: string, path: string): void {
  try {
    for (let folder = dirname(path); folder.includes("/"); folder = dirname(folder)) {
      rmdirSync(join(directory, folder));
    }
  } catch {
    // Not empty, or gone already.
  }
}
