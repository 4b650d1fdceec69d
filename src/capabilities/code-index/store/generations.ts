import { readFileSync, rmSync, statSync } from "node:fs";
import { open, readdir, rename } from "node:fs/promises";
import { uptime } from "node:os";
import { basename, join } from "node:path";
import { z } from "zod";
import { writeFileAtomic } from "../../../core/files/atomic-write.ts";
import { sealClosed } from "../../../core/store/checked-file.ts";
import type { CodeProject } from "./project.ts";

/**
 * A large change builds a new database beside the old one. Replacing this small file publishes it: readers keep the old
 * database until they look again, the next run continues a killed build, and nobody sees a half-written index.
 */
const GENERATION = /^code-\d+\.sqlite$/;
const Pointer = z.object({ file: z.string().regex(GENERATION) });
const POINTER = "code.json";
const BUILD = "code-build.sqlite";
const MEGABYTE = 1_048_576;

/** The published database; `undefined` if the project is not indexed. */
export function currentIndexFile(project: CodeProject): string | undefined {
  try {
    const text = readFileSync(join(project.directory, POINTER), "utf8");
    return join(project.directory, Pointer.parse(JSON.parse(text)).file);
  } catch {
    return undefined;
  }
}

/** Published here: damage in it must not go unnoticed. */
export const isGeneration = (file: string): boolean => GENERATION.test(basename(file));

export const buildFile = (project: CodeProject): string => join(project.directory, BUILD);

export const discardBuild = (project: CodeProject): void => removeDatabase(buildFile(project));

/** A build is synced only when it is published: one that is older than the start of this machine may be damaged unnoticed. */
export function discardUnsyncedBuild(project: CodeProject): void {
  const written = statSync(buildFile(project), { throwIfNoEntry: false })?.mtimeMs;
  if (written !== undefined && written < Date.now() - uptime() * 1000) discardBuild(project);
}

/** Makes the build, complete and closed, the current index. */
export async function publishBuild(project: CodeProject): Promise<string> {
  const built = await open(buildFile(project), "r+");
  await built.sync().finally(() => built.close());
  const before = currentIndexFile(project);
  const next = 1 + Number(/code-(\d+)\.sqlite$/.exec(before ?? "")?.[1] ?? 0);
  const name = `code-${next}.sqlite`;
  const file = join(project.directory, name);
  removeDatabase(file);
  await rename(buildFile(project), file);
  sealClosed(file);
  await writeFileAtomic(join(project.directory, POINTER), JSON.stringify({ file: name }), 0o600);
  await removeOld(project, name);
  return file;
}

/** Megabytes on disk of a database with its log. */
export function megabytesOf(file: string): number {
  const sizes = [file, `${file}-wal`].map((part) => statSync(part, { throwIfNoEntry: false })?.size ?? 0);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return Math.round((bytes / MEGABYTE) * 100) / 100;
}

async function removeOld(project: CodeProject, kept: string): Promise<void> {
  for (const name of await readdir(project.directory)) {
    const database = /^code-\d+\.sqlite/.exec(name)?.[0];
    if (database !== undefined && database !== kept) removeFile(join(project.directory, name));
  }
}

export function removeDatabase(file: string): void {
  for (const part of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`, `${file}-sum`]) removeFile(part);
}

/** Windows does not delete a file that a reader has open; the next publication removes it. */
function removeFile(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    return;
  }
}
