import { readFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { writeFileAtomic } from "../../../core/files/atomic-write.ts";
import { copyDatabase } from "../../../core/store/copy-database.ts";
import { openCurrentFormat } from "../store/code-store.ts";
import { currentIndexFile } from "../store/generations.ts";
import type { CodeProject } from "../store/project.ts";
import { type GitOrigin, nearestKnown, readGitOrigin, repositoryId } from "./git-origin.ts";
import type { BaseOptions, IndexBase } from "./index-bases.ts";

/**
 * Beside each index: the commit that was checked out when it was last written. A new work tree or clone of the same
 * repository finds its nearest index by these small files, without opening any database.
 */
const OriginFile = z.object({ repository: z.string(), commit: z.string(), prefix: z.string() });
const NAME = "code-origin.json";
/** More projects than this have not been used for long. */
const MAX_LOCAL = 200;
/** They are indexed in the time that an answer without an index takes. */
const FEW_FILES = 200;

interface LocalIndex extends z.infer<typeof OriginFile> {
  readonly file: string;
}

/** Called after each run that wrote the index. */
export async function recordOrigin(project: CodeProject, signal: AbortSignal): Promise<void> {
  const origin = await readGitOrigin(project.root, signal);
  if (origin === undefined) return;
  const { commit, prefix } = origin;
  const known = readOrigin(project.directory);
  if (known?.commit === commit && known.prefix === prefix) return;
  // The first commits are found by a walk through the whole history, so they are looked for once.
  const repository = known?.repository ?? (await repositoryId(project.root, origin, signal));
  if (repository === undefined) return;
  const text = JSON.stringify({ repository, commit, prefix });
  await writeFileAtomic(join(project.directory, NAME), text, 0o600);
}

/** The nearest index of another work tree or clone on this machine. */
export async function nearestLocal(
  project: CodeProject,
  origin: GitOrigin,
  { embeddings, signal }: BaseOptions,
): Promise<IndexBase | undefined> {
  const { root } = project;
  const indexes = await localIndexes(project, origin);
  if (indexes.length === 0) return undefined;
  // A commit that this clone has is of the same repository.
  const nearest = await nearestKnown(root, origin.commit, indexes, signal);
  // Or else the other clone has commits that were not fetched here.
  const repository = nearest ? undefined : await repositoryId(root, origin, signal);
  const found = nearest?.found ?? indexes.find((index) => index.repository === repository);
  if (found === undefined) return undefined;
  return {
    shown: "the index of another copy of this repository",
    changedFiles: nearest?.changedFiles,
    async copyTo(file) {
      using base = await openCurrentFormat(found.file, embeddings);
      if (base === undefined) return false;
      await copyDatabase(base.store, file);
      return true;
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Whether the index of another copy on this machine differs in so few files that ours is made in a moment. */
export async function isNearlyIndexed(project: CodeProject, signal: AbortSignal): Promise<boolean> {
  const origin = await readGitOrigin(project.root, signal);
  const indexes = origin ? await localIndexes(project, origin) : [];
  if (origin === undefined || indexes.length === 0) return false;
  const nearest = await nearestKnown(project.root, origin.commit, indexes, signal);
  return nearest !== undefined && nearest.changedFiles <= FEW_FILES;
}

/** The indexes of the same part of other repositories on this machine, most recently written first. */
async function localIndexes(project: CodeProject, { prefix }: GitOrigin): Promise<readonly LocalIndex[]> {
  const projects = dirname(project.directory);
  const found: { index: LocalIndex; time: number }[] = [];
  for (const name of await readdir(projects).catch(() => [])) {
    const directory = join(projects, name);
    if (directory === project.directory) continue;
    const origin = readOrigin(directory);
    if (origin?.prefix !== prefix) continue;
    const file = currentIndexFile({ ...project, directory });
    if (file === undefined) continue;
    const time = (await stat(file).catch(() => undefined))?.mtimeMs;
    if (time !== undefined) found.push({ index: { ...origin, file }, time });
  }
  return found
    .sort((a, b) => b.time - a.time)
    .slice(0, MAX_LOCAL)
    .map(({ index }) => index);
}

function readOrigin(directory: string): z.infer<typeof OriginFile> | undefined {
  try {
    return OriginFile.parse(JSON.parse(readFileSync(join(directory, NAME), "utf8")));
  } catch {
    return undefined;
  }
}
