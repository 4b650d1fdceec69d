import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "../../../core/logger.ts";
import type { Embeddings } from "../../../core/search/index.ts";
import { copyDatabase } from "../../../core/store/copy-database.ts";
import { openCurrentFormat } from "../store/code-store.ts";
import { buildFile, removeDatabase } from "../store/generations.ts";
import type { CodeProject } from "../store/project.ts";
import { forgetTimes } from "../store/stored-files.ts";
import { type GitOrigin, knownCommits, nearestCommit, readGitOrigin, repositoryId } from "./git-origin.ts";
import { type LocalIndex, localIndexes } from "./local-origins.ts";

export interface BaseOptions {
  readonly embeddings: Embeddings;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}
const COPY = "code-start.sqlite";

/**
 * A project without an index starts from a copy of the nearest one: the build that the run then continues. The run compares every
 * file with it by content, so a base that is far away, or of another branch, costs time but is never wrong. The caller holds
 * the project's lock.
 */
export async function startFromNearest(project: CodeProject, options: BaseOptions): Promise<void> {
  // A run that was killed left a build of its own: it goes on with that.
  if (existsSync(buildFile(project))) return;
  const { signal, logger } = options;
  try {
    const origin = await readGitOrigin(project.root, signal);
    const base = origin && (await nearestLocal(project, origin, signal));
    if (base === undefined) return;
    if (await copyBase(base.file, project, options))
      logger.info(`starts from the index of another copy of this repository, ${base.changed}`);
  } catch (thrown) {
    signal.throwIfAborted();
    removeDatabase(join(project.directory, COPY));
    logger.error("could not start from another index, so everything is indexed:", thrown);
  }
}

interface NearestBase {
  readonly file: string;
  readonly changed: string;
}

async function nearestLocal(
  project: CodeProject,
  origin: GitOrigin,
  signal: AbortSignal,
): Promise<NearestBase | undefined> {
  const { root } = project;
  const indexes = (await localIndexes(project)).filter(({ prefix }) => prefix === origin.prefix);
  if (indexes.length === 0) return undefined;
  const fileOf = ({ file }: LocalIndex, changed: string) => ({ file, changed });
  // A commit that this clone has is of the same repository.
  const known = await knownCommits(
    root,
    indexes.map(({ commit }) => commit),
    signal,
  );
  const here = indexes.filter(({ commit }) => known.has(commit));
  const commits = here.map(({ commit }) => commit);
  const nearest = commits.length > 0 ? await nearestCommit(root, origin.commit, commits, signal) : undefined;
  const found = nearest && here.find(({ commit }) => commit === nearest.commit);
  if (found) return fileOf(found, `${nearest.changedFiles} changed files away`);
  // The other clone has commits that were not fetched here.
  const repository = await repositoryId(root, origin, signal);
  const other = indexes.find((index) => index.repository === repository);
  return other && fileOf(other, "at a commit that is not here");
}

/** Returns false if the other index has a format of another program. */
async function copyBase(file: string, project: CodeProject, { embeddings }: BaseOptions): Promise<boolean> {
  const copy = join(project.directory, COPY);
  removeDatabase(copy);
  {
    using base = await openCurrentFormat(file, embeddings);
    if (base === undefined) return false;
    await copyDatabase(base.store, copy);
  }
  {
    using code = await openCurrentFormat(copy, embeddings);
    if (code === undefined) return false;
    forgetTimes(code);
    code.store.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }
  await rename(copy, buildFile(project));
  return true;
}
