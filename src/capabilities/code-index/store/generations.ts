import { readFileSync, rmSync, statSync } from "node:fs";
import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomic } from "../../../core/files/atomic-write.ts";
import type { Project } from "./project.ts";

/**
 * Each large change makes a new database beside the old one and is published by exchanging this small file: readers
 * hold the old one until they look again, a killed build is found and continued, and nobody sees half of anything.
 */
const Pointer = z.object({ file: z.string().regex(/^code-\d+\.sqlite$/) });
const POINTER = "code.json";
const BUILD = "code-build.sqlite";

/** The published database, or `undefined` where nothing is indexed yet. */
export function currentFile(project: Project): string | undefined {
  try {
    const text = readFileSync(join(project.directory, POINTER), "utf8");
    return join(project.directory, Pointer.parse(JSON.parse(text)).file);
  } catch {
    return undefined;
  }
}

export const buildFile = (project: Project): string => join(project.directory, BUILD);

export const discardBuild = (project: Project): void => removeDatabase(buildFile(project));

/** The build, complete and closed, becomes the index. */
export async function publish(project: Project): Promise<string> {
  const before = currentFile(project);
  const next = 1 + Number(/code-(\d+)\.sqlite$/.exec(before ?? "")?.[1] ?? 0);
  const name = `code-${next}.sqlite`;
  await rename(buildFile(project), join(project.directory, name));
  await writeFileAtomic(join(project.directory, POINTER), JSON.stringify({ file: name }), 0o600);
  await removeOld(project, name);
  return join(project.directory, name);
}

/** Bytes on disk of a database with its log. */
export function sizeOf(file: string): number {
  const sizes = [file, `${file}-wal`].map((part) => statSync(part, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function removeOld(project: Project, kept: string): Promise<void> {
  for (const name of await readdir(project.directory)) {
    const database = /^code-\d+\.sqlite/.exec(name)?.[0];
    if (database !== undefined && database !== kept) removeFile(join(project.directory, name));
  }
}

export function removeDatabase(file: string): void {
  for (const part of [file, `${file}-wal`, `${file}-shm`]) removeFile(part);
}

/** On Windows a file that a reader holds open cannot go; the next publication removes it. */
function removeFile(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    return;
  }
}
