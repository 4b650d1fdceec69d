import { closeSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { syncDirectory } from "../../../core/files/atomic-write.ts";
import { sha256 } from "../../../core/hash.ts";
import { JOURNAL, LOCAL, STAGING } from "./layout.ts";
import { assertRealFolders, readStoreFile } from "./read-file.ts";

/** Anyone can put a journal into a repository, so it can only name files of the store. */
const Path = z
  .string()
  .refine((path) => path.split("/").every((name) => name !== "" && name !== "." && name !== ".."));

/** One step of a transaction that is wholly prepared: a staged file to move into place, or a file to take away. */
export const Step = z.union([
  z.strictObject({ path: Path, staged: z.string().regex(/^[0-9a-f]{16}$/), sha256: z.string() }),
  z.strictObject({ path: Path, removed: z.literal(true), sha256: z.string() }),
]);
export type Step = z.infer<typeof Step>;
const Journal = z.strictObject({ steps: z.array(Step) });

export function writeJournal(directory: string, steps: readonly Step[]): void {
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

/** Does the steps; a step that was done before is passed over, so a journal can be played again after a crash. */
export async function applySteps(
  directory: string,
  steps: readonly Step[],
  onDone: () => void = () => {},
): Promise<void> {
  for (const { path } of steps) assertRealFolders(directory, path);
  for (const step of steps) {
    const target = join(directory, step.path);
    if ("staged" in step) renameSync(join(directory, STAGING, step.staged), target);
    else rmSync(target, { force: true });
    onDone();
  }
  const folders = new Set(steps.map(({ path }) => dirname(join(directory, path))));
  await Promise.all([...folders].map((folder) => syncDirectory(folder).catch(() => undefined)));
}

/**
 * Finishes what a killed process had begun: all of it if all was prepared, else nothing. Call it under the lock.
 * The hashes guard against a journal older than the files: it is deleted without waiting for the disk.
 */
export async function recover(directory: string): Promise<boolean> {
  const steps = readJournal(directory);
  if (steps === undefined) return false;
  if (await isTracked(directory)) {
    clearStaging(directory);
    return true;
  }
  const open = steps.filter((step) => hashAt(directory, placeOf(step)) !== undefined);
  const prepared = open.every((step) => hashAt(directory, placeOf(step)) === step.sha256);
  if (prepared) await applySteps(directory, open);
  clearStaging(directory);
  return true;
}

export function clearStaging(directory: string): void {
  rmSync(join(directory, JOURNAL), { force: true });
  rmSync(join(directory, STAGING), { recursive: true, force: true });
}

function readJournal(directory: string): readonly Step[] | undefined {
  try {
    const read = readStoreFile(directory, JOURNAL);
    if (read === undefined) return undefined;
    return Journal.parse(JSON.parse(read.bytes.toString("utf8"))).steps;
  } catch {
    // Torn: the process died before the first step, so there is nothing to finish. Or it is none of ours.
    return [];
  }
}

/** A journal that came by git is a teammate's wish, not our own unfinished work. */
async function isTracked(directory: string): Promise<boolean> {
  const { askGit } = await import("../../../core/git/git.ts");
  // Where there is no git at all, nothing came by it.
  return Boolean(await askGit(["ls-files", "-z", "--", LOCAL], { cwd: directory }).catch(() => undefined));
}

const placeOf = (step: Step) => ("staged" in step ? `${STAGING}/${step.staged}` : step.path);

function hashAt(directory: string, path: string): string | undefined {
  try {
    const read = readStoreFile(directory, path);
    return read === undefined ? undefined : sha256(read.bytes);
  } catch {
    return "unreadable";
  }
}
