import { randomBytes } from "node:crypto";
import { mkdirSync, rmdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sha256 } from "../../../core/hash.ts";
import { applySteps, clearStaging, type Step, writeJournal } from "./journal.ts";
import { STAGING } from "./layout.ts";
import { assertRealFolders, readStoreFile } from "./read-file.ts";
import { asStoreError } from "./write-error.ts";

/** New content of one file of the store, or `undefined` to take it away. */
export interface Change {
  readonly path: string;
  readonly content: string | Uint8Array | undefined;
}

const WRITERS = 32;

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

function removeEmptyFolders(directory: string, path: string): void {
  try {
    for (let folder = dirname(path); folder.includes("/"); folder = dirname(folder)) {
      rmdirSync(join(directory, folder));
    }
  } catch {
    // Not empty, or gone already.
  }
}
