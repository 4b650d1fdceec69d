import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import { acquireLock, type Lock, lockHolder } from "../../../core/lock/lock.ts";
import type { ProgressStep } from "../../../core/progress.ts";
import { RunningIndex } from "../schemas.ts";
import type { CodeProject } from "./project.ts";

const LOCK = "code-index";
const WRITE_EVERY_MS = 250;
/** A process that asks whether a run is under way holds the lock for a moment too. */
const DEFAULT_WAIT_MS = 100;

/** A user who asks for a run gets an error if another one is under way; an update that nobody asked for is waited for. */
const UPDATE_PURPOSE = "updating the code index";
const UPDATE_WAIT_MS = 10_000;

interface RunLockOptions {
  readonly isUpdate?: boolean | undefined;
  readonly signal?: AbortSignal;
}

/** One run at a time for each project, in any process. */
export async function lockProject(
  project: CodeProject,
  waitMs = DEFAULT_WAIT_MS,
  { isUpdate = false, signal }: RunLockOptions = {},
): Promise<Lock> {
  const lock = {
    directory: project.directory,
    name: LOCK,
    purpose: isUpdate ? UPDATE_PURPOSE : "indexing code",
    ...(signal && { signal }),
  };
  try {
    return await acquireLock({ ...lock, waitMs });
  } catch (thrown) {
    if (!isBusy(thrown)) throw thrown;
  }
  try {
    const isHeldByUpdate = lockHolder(lock)?.purpose === UPDATE_PURPOSE;
    return await acquireLock({ ...lock, waitMs: isHeldByUpdate ? UPDATE_WAIT_MS : 0 });
  } catch (thrown) {
    if (!isBusy(thrown)) throw thrown;
    const running = readProgress(project);
    const share =
      running && running.files_total > 0 ? ` (${running.files_done} of ${running.files_total} files)` : "";
    throw new DomainError("busy", `Indexing of this project is already under way${share}. Try again later.`, {
      reason: "already_indexing",
    });
  }
}

const isBusy = (thrown: unknown) => thrown instanceof DomainError && thrown.code === "busy";

/** The run that is under way, in this process or another. A progress file without a held lock is a killed run's. */
export async function readRunningIndex(project: CodeProject): Promise<RunningIndex | undefined> {
  const running = readProgress(project);
  if (running === undefined) return undefined;
  try {
    (await acquireLock({ directory: project.directory, name: LOCK, purpose: "looking" })).release();
    return undefined;
  } catch (thrown) {
    if (isBusy(thrown)) return running;
    throw thrown;
  }
}

/** A file that shows other processes how far a run is. */
export interface ProgressFile extends Disposable {
  write(step: ProgressStep): void;
}

export function openProgressFile(project: CodeProject, startedAt: Date): ProgressFile {
  const file = progressPath(project);
  let writtenAt = Number.NEGATIVE_INFINITY;
  return {
    write({ done, total = 0 }) {
      if (performance.now() - writtenAt < WRITE_EVERY_MS) return;
      writtenAt = performance.now();
      const running: RunningIndex = {
        pid: process.pid,
        started_at: startedAt.toISOString(),
        files_done: done,
        files_total: total,
      };
      mkdirSync(project.directory, { recursive: true, mode: 0o700 });
      writeFileSync(`${file}.tmp`, JSON.stringify(running), { mode: 0o600 });
      renameSync(`${file}.tmp`, file);
    },
    [Symbol.dispose]: () => rmSync(file, { force: true }),
  };
}

const progressPath = (project: CodeProject) => join(project.directory, "code-running.json");

/** How far a run is, or was when it was killed. */
export function readProgress(project: CodeProject): RunningIndex | undefined {
  try {
    return RunningIndex.parse(JSON.parse(readFileSync(progressPath(project), "utf8")));
  } catch {
    return undefined;
  }
}
