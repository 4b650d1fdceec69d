import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import { acquireLock, type Lock } from "../../../core/lock/lock.ts";
import type { ProgressStep } from "../../../core/progress.ts";
import type { Project } from "./project.ts";

/** How far an index run is, for other processes: a note beside the index, believed only while the lock is held. */
export const RunningIndex = z.object({
  pid: z.number(),
  started_at: z.string(),
  files_done: z.number(),
  files_total: z.number(),
});
export type RunningIndex = z.infer<typeof RunningIndex>;

const LOCK = "code-index";
const NOTE_EVERY_MS = 250;
/** A moment's patience: somebody who asks whether a run is under way holds the lock for an instant too. */
const PATIENCE_MS = 100;

export async function lockProject(project: Project, waitMs = PATIENCE_MS): Promise<Lock> {
  try {
    return await acquireLock({
      directory: project.directory,
      name: LOCK,
      purpose: "indexing code",
      waitMs,
    });
  } catch (thrown) {
    if (!(thrown instanceof DomainError) || thrown.code !== "busy") throw thrown;
    const note = readNote(project);
    const share = note && note.files_total > 0 ? ` (${note.files_done} of ${note.files_total} files)` : "";
    throw new DomainError("busy", `Indexing of this project is already under way${share}. Try again later.`, {
      reason: "already_indexing",
    });
  }
}

/** What another process, or another call in this one, is indexing right now. */
export async function runningIndex(project: Project): Promise<RunningIndex | undefined> {
  const note = readNote(project);
  if (note === undefined) return undefined;
  try {
    (await acquireLock({ directory: project.directory, name: LOCK, purpose: "looking" })).release();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof DomainError && thrown.code === "busy") return note;
    throw thrown;
  }
}

export interface RunNote {
  tell(step: ProgressStep): void;
  [Symbol.dispose](): void;
}

export function openNote(project: Project, startedAt: Date): RunNote {
  const file = noteFile(project);
  let told = Number.NEGATIVE_INFINITY;
  return {
    tell({ done, total = 0 }) {
      if (performance.now() - told < NOTE_EVERY_MS) return;
      told = performance.now();
      const note: RunningIndex = {
        pid: process.pid,
        started_at: startedAt.toISOString(),
        files_done: done,
        files_total: total,
      };
      mkdirSync(project.directory, { recursive: true, mode: 0o700 });
      writeFileSync(`${file}.tmp`, JSON.stringify(note), { mode: 0o600 });
      renameSync(`${file}.tmp`, file);
    },
    [Symbol.dispose]: () => rmSync(file, { force: true }),
  };
}

const noteFile = (project: Project) => join(project.directory, "code-running.json");

function readNote(project: Project): RunningIndex | undefined {
  try {
    return RunningIndex.parse(JSON.parse(readFileSync(noteFile(project), "utf8")));
  } catch {
    return undefined;
  }
}
