import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "../../../core/logger.ts";
import type { Machine } from "../../../core/machine.ts";
import type { Progress } from "../../../core/progress.ts";
import type { Embeddings } from "../../../core/search/index.ts";
import { check } from "../../../core/store/store.ts";
import { openCurrentFormat } from "../store/code-store.ts";
import { buildFile, removeDatabase } from "../store/generations.ts";
import type { CodeProject } from "../store/project.ts";
import { forgetTimes } from "../store/stored-files.ts";
import { readGitOrigin } from "./git-origin.ts";
import { nearestLocal } from "./local-base.ts";
import { nearestPublished } from "./published-base.ts";

export interface BaseOptions {
  readonly embeddings: Embeddings;
  /** The team's store, if there is one. */
  readonly teamUrl: string | undefined;
  readonly env: Machine["env"];
  readonly logger: Logger;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}
/** An index that a project may start from. */
export interface IndexBase extends AsyncDisposable {
  /** What it is, for the log. */
  readonly shown: string;
  /** How many files differ; `undefined` if its commit is not here. */
  readonly changedFiles: number | undefined;
  /** Returns false if it has the format of another program. */
  copyTo(file: string): Promise<boolean>;
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
  const copy = join(project.directory, COPY);
  try {
    await using base = await nearestBase(project, options);
    if (base === undefined) return;
    removeDatabase(copy);
    if (!(await base.copyTo(copy)) || !(await isWhole(copy, options))) return;
    if (!(await forgetPlace(copy, options))) return;
    await rename(copy, buildFile(project));
    const { changedFiles } = base;
    const distance =
      changedFiles === undefined ? "at a commit that is not here" : `${changedFiles} changed files away`;
    logger.info(`starts from ${base.shown}, ${distance}`);
  } catch (thrown) {
    signal.throwIfAborted();
    logger.error("could not start from another index, so everything is indexed:", thrown);
  } finally {
    removeDatabase(copy);
  }
}

/** The team's store is asked only if no index on this machine is of the same commit. */
async function nearestBase(project: CodeProject, options: BaseOptions): Promise<IndexBase | undefined> {
  const origin = await readGitOrigin(project.root, options.signal);
  if (origin === undefined) return undefined;
  const local = await nearestLocal(project, origin, options);
  if (options.teamUrl === undefined || local?.changedFiles === 0) return local;
  const published = await nearestPublished(project, origin, { ...options, teamUrl: options.teamUrl });
  if (published === undefined) return local;
  const far = Number.POSITIVE_INFINITY;
  if ((published.changedFiles ?? far) <= (local?.changedFiles ?? far)) return published;
  await published[Symbol.asyncDispose]();
  return local;
}

/** A reader refuses a file with other tables than ours: a write could run its triggers. */
async function isWhole(copy: string, { embeddings }: BaseOptions): Promise<boolean> {
  using code = await openCurrentFormat(copy, embeddings, { readOnly: true, isForeign: true });
  if (code) check(code.store);
  return code !== undefined;
}

async function forgetPlace(copy: string, { embeddings }: BaseOptions): Promise<boolean> {
  using code = await openCurrentFormat(copy, embeddings);
  if (code === undefined) return false;
  forgetTimes(code);
  code.store.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  return true;
}
