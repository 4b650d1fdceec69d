import { closeSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { errnoOf } from "../../../core/errors.ts";
import { syncDirectory } from "../../../core/files/atomic-write.ts";
import { sha256 } from "../../../core/hash.ts";
import { JOURNAL, LOCAL, STAGING } from "./layout.ts";
import { readStoreFile, storePath } from "./read-file.ts";

/** Anyone can commit a journal file, so it may only name files of the store. */
const Path = z
  .string()
  .refine((path) => path.split("/").every((name) => name !== "" && name !== "." && name !== ".."));

/** One step of a prepared transaction: move a staged file into place, or remove a file. */
export const JournalStep = z.union([
  z.strictObject({ path: Path, staged: z.string().regex(/^[0-9a-f]{16}$/), sha256: z.string() }),
  z.strictObject({ path: Path, removed: z.literal(true), sha256: z.string() }),
]);
export type JournalStep = z.infer<typeof JournalStep>;
const Journal = z.strictObject({ steps: z.array(JournalStep) });

export function writeJournal(directory: string, steps: readonly JournalStep[]): void {
  const handle = openSync(join(directory, JOURNAL), "w", 0o600);
  try {
    writeFileSync(handle, JSON.stringify({ steps }));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

export const hasJournal = (directory: string): boolean =>
  lstatSync(join(directory, JOURNAL), { throwIfNoEntry: false }) !== undefined;

/** Runs the steps. All folders are checked before the first one. False: the disk did not confirm a folder. */
export async function applySteps(
  directory: string,
  steps: readonly JournalStep[],
  onDone: () => void = () => {},
): Promise<boolean> {
  const checked = steps.map((step) => ({ step, target: storePath(directory, step.path) }));
  for (const { step, target } of checked) {
    if ("staged" in step) renameSync(join(directory, STAGING, step.staged), target);
    else rmSync(target, { force: true });
    onDone();
  }
  const folders = new Set(steps.map(({ path }) => dirname(join(directory, path))));
  const synced = await Promise.all([...folders].map(isSynced));
  return synced.every(Boolean);
}

/** Some file systems cannot sync a folder; only a real failure of the disk counts. */
const isSynced = (folder: string): Promise<boolean> =>
  syncDirectory(folder).then(
    () => true,
    (thrown: unknown) => !["EIO", "ENOSPC", "EDQUOT"].includes(errnoOf(thrown) ?? ""),
  );

/**
 * Finishes the transaction of a killed process if it was fully prepared, else drops it. Call it under the lock.
 * The hashes detect a journal older than the files: deleting the journal does not wait for the disk.
 */
export async function recover(directory: string): Promise<boolean> {
  const steps = readJournal(directory);
  if (steps === undefined) return false;
  if (await isTracked(directory)) {
    clearStaging(directory);
    return true;
  }
  const remaining = steps.filter((step) => hashAt(directory, sourceOf(step)) !== undefined);
  const isPrepared = remaining.every((step) => hashAt(directory, sourceOf(step)) === step.sha256);
  if (isPrepared) await applySteps(directory, remaining);
  clearStaging(directory);
  return true;
}

export function clearStaging(directory: string): void {
  rmSync(join(directory, JOURNAL), { force: true });
  rmSync(join(directory, STAGING), { recursive: true, force: true });
}

function readJournal(directory: string): readonly JournalStep[] | undefined {
  try {
    const read = readStoreFile(directory, JOURNAL);
    if (read === undefined) return undefined;
    return Journal.parse(JSON.parse(read.bytes.toString("utf8"))).steps;
  } catch {
    // Incomplete: the process died before the first step, so there is nothing to finish. Or it is not our journal.
    return [];
  }
}

/** A journal that came through git was written by a teammate, not by an interrupted process here. */
async function isTracked(directory: string): Promise<boolean> {
  const { askGit } = await import("../../../core/git/git.ts");
  // Without git nothing came through it.
  return Boolean(await askGit(["ls-files", "-z", "--", LOCAL], { cwd: directory }).catch(() => undefined));
}

const sourceOf = (step: JournalStep) => ("staged" in step ? `${STAGING}/${step.staged}` : step.path);

function hashAt(directory: string, path: string): string | undefined {
  try {
    const read = readStoreFile(directory, path);
    return read === undefined ? undefined : sha256(read.bytes);
  } catch {
    return "unreadable";
  }
}
