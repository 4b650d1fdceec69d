import { readFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { writeFileAtomic } from "../../../core/files/atomic-write.ts";
import { currentIndexFile } from "../store/generations.ts";
import type { CodeProject } from "../store/project.ts";
import { readGitOrigin, repositoryId } from "./git-origin.ts";

/**
 * Beside each index: the commit that was checked out when it was last written. A new work tree or clone of the same
 * repository finds its nearest index by these small files, without opening any database.
 */
const OriginFile = z.object({ repository: z.string(), commit: z.string(), prefix: z.string() });
const NAME = "code-origin.json";
/** More projects than this have not been used for long. */
const MAX_LOCAL = 200;

export interface LocalIndex extends z.infer<typeof OriginFile> {
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

/** The indexes of other projects on this machine, most recently written first. */
export async function localIndexes(project: CodeProject): Promise<readonly LocalIndex[]> {
  const projects = dirname(project.directory);
  const found: { index: LocalIndex; time: number }[] = [];
  for (const name of await readdir(projects)) {
    const directory = join(projects, name);
    if (directory === project.directory) continue;
    const origin = readOrigin(directory);
    const file = origin && currentIndexFile({ ...project, directory });
    if (origin === undefined || file === undefined) continue;
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
