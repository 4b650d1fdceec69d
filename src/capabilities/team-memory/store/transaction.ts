import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DomainError, errnoOf } from "../../../core/errors.ts";
import { sha256 } from "../../../core/hash.ts";
import { acquireLock, type Lock } from "../../../core/lock/lock.ts";
import { applySteps, clearStaging, recover, type Step, writeJournal } from "./journal.ts";
import { JOURNAL, LOCAL, STAGING } from "./layout.ts";
import { assertRealFolders, readStoreFile } from "./read-file.ts";

/** New content of one file of the store, or `undefined` to take it away. */
export interface Change {
  readonly path: string;
  readonly content: string | Uint8Array | undefined;
}

const WAIT_MS = 30_000;
const WRITERS = 32;

/** The one lock of a store: every write of every process is made under it. Unfinished work of a dead holder is finished first. */
export async function lockStore(
  directory: string,
  { purpose, waitMs = WAIT_MS, signal }: { purpose: string; waitMs?: number; signal?: AbortSignal },
): Promise<Lock> {
  prepareLocal(directory);
  const lock = await acquireLock({
    directory: join(directory, LOCAL),
    name: "store",
    purpose,
    waitMs,
    ...(signal && { signal }),
  });
  try {
    await recover(directory);
    return lock;
  } catch (thrown) {
    lock.release();
    throw thrown;
  }
}

export const hasJournal = (directory: string): boolean =>
  lstatSync(join(directory, JOURNAL), { throwIfNoEntry: false }) !== undefined;

/** All of the changes or none, whatever happens to the process or the disk. Call it under the lock. */
export async function commitChanges(directory: string, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  let hasBegun = false;
  try {
    const steps = await stage(directory, changes);
    await applySteps(directory, steps, () => {
      hasBegun = steps.length > 1;
    });
    hasBegun = false;
  } catch (thrown) {
    throw asStoreError(thrown);
  } finally {
    // Once a step was done the journal stays until all are: whoever takes the lock next finishes them.
    if (!hasBegun) tidy(directory);
  }
  for (const { path, content } of changes) if (content === undefined) removeEmptyFolders(directory, path);
}

async function stage(directory: string, changes: readonly Change[]): Promise<Step[]> {
  for (const { path } of changes) {
    assertRealFolders(directory, path);
    mkdirSync(dirname(join(directory, path)), { recursive: true });
  }
  mkdirSync(join(directory, STAGING), { recursive: true });
  const steps = changes.map((change) => stepOf(directory, change)).filter((step) => step !== undefined);
  const contents = new Map(changes.map(({ path, content }) => [path, content]));
  const files = writeAllStaged(directory, steps, contents);
  // One step is atomic by itself. The journal is written beside the files and not after them: its hashes tell whether they are whole.
  if (steps.length > 1) writeJournal(directory, steps);
  const written = await Promise.allSettled(files);
  for (const result of written) if (result.status === "rejected") throw result.reason;
  return steps;
}

/** Side by side, for each waits for the disk; but not all at once, for each is an open file. */
function writeAllStaged(
  directory: string,
  steps: readonly Step[],
  contents: ReadonlyMap<string, string | Uint8Array | undefined>,
): Promise<void>[] {
  const queue = steps.filter((step) => "staged" in step);
  const writer = async () => {
    for (let step = queue.pop(); step !== undefined; step = queue.pop()) {
      await writeStaged(directory, step, contents);
    }
  };
  return Array.from({ length: Math.min(WRITERS, queue.length) }, writer);
}

function stepOf(directory: string, { path, content }: Change): Step | undefined {
  if (content !== undefined) {
    return { path, staged: randomBytes(8).toString("hex"), sha256: sha256(content) };
  }
  const read = readStoreFile(directory, path);
  return read === undefined ? undefined : { path, removed: true, sha256: sha256(read.bytes) };
}

async function writeStaged(
  directory: string,
  step: Extract<Step, { staged: string }>,
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

function tidy(directory: string): void {
  try {
    clearStaging(directory);
  } catch {
    // What cannot be deleted now is cleared by the next transaction.
  }
}

function prepareLocal(directory: string): void {
  assertRealFolders(directory, JOURNAL);
  try {
    mkdirSync(join(directory, LOCAL), { recursive: true });
    const lock = lstatSync(join(directory, LOCAL, "store.lock"), { throwIfNoEntry: false });
    if (lock !== undefined && !lock.isFile()) {
      throw new DomainError(
        "unavailable",
        "The context store's lock is no regular file. Delete it and try again.",
      );
    }
    const ignore = join(directory, LOCAL, ".gitignore");
    if (!lstatSync(ignore, { throwIfNoEntry: false })?.size) writeFileSync(ignore, "*\n");
  } catch (thrown) {
    throw asStoreError(thrown);
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

function asStoreError(thrown: unknown): unknown {
  const errno = errnoOf(thrown);
  if (["EROFS", "EACCES", "EPERM"].includes(errno ?? "")) {
    return new DomainError(
      "unavailable",
      "The context store cannot be written: the directory is read-only for this user.",
      { cause: thrown },
    );
  }
  if (errno === "EIO") {
    return new DomainError("unavailable", "The disk refused the write. Nothing was changed.", {
      cause: thrown,
    });
  }
  return thrown;
}
