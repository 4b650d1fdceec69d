import { setTimeout as pause } from "node:timers/promises";
import { asDomainError, DomainError, type ErrorCode } from "../../../core/errors.ts";
import { TreeWatcher } from "../../../core/scan/tree-watcher.ts";
import type { Call } from "../../../core/tool.ts";
import { gitDirectory } from "../scan/tree-state.ts";
import type { IndexOutput } from "../schemas.ts";
import { hasChanges } from "../show.ts";

/** Failures that pass: another process indexes, the disk is full, the last source file is gone for now. */
const PASSING = new Set<ErrorCode>(["busy", "disk_full", "unavailable", "not_found"]);
const RETRY_AFTER_MS = 1_000;
/** An editor saves several files at once, and each in several steps. */
const QUIET_MS = 300;
/** How often to look at a tree that the system cannot watch. */
const POLL_EVERY_MS = 5_000;

/** Indexes a directory now and after each change, until the call is stopped. Emits the first run, and later runs with changes. */
export async function watchProject(
  root: string,
  index: () => Promise<IndexOutput>,
  { signal, progress, emit }: Call<IndexOutput>,
): Promise<{ runs: number }> {
  let runs = 0;
  const run = async () => {
    const output = await index();
    runs++;
    if (runs === 1 || hasChanges(output)) emit?.(output);
  };
  /** Another process may index for minutes: note it once, and retry until it is done. */
  const runWhenFree = async () => {
    for (let isNoted = false; !signal.aborted; isNoted = true) {
      try {
        return await run();
      } catch (thrown) {
        if (!isBusy(thrown)) throw thrown;
        if (!isNoted) progress.note(thrown.message);
      }
      await pause(RETRY_AFTER_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const runAndContinue = () =>
    runWhenFree().catch((thrown: unknown) => {
      const { code, message } = asDomainError(thrown);
      // If the first run fails, the caller made a mistake.
      if (runs === 0 || !PASSING.has(code)) throw thrown;
      progress.note(message);
    });
  await watchTree(root, runAndContinue, signal);
  return { runs };
}

const isBusy = (thrown: unknown): thrown is DomainError =>
  thrown instanceof DomainError && thrown.code === "busy";

/** Calls `onChange` at once and after each burst of changes below a root, until the signal aborts. Calls never overlap. */
async function watchTree(root: string, onChange: () => Promise<void>, signal: AbortSignal): Promise<void> {
  let isDirty = false;
  let wake = () => {};
  const stop = () => wake();
  const onEvent = () => {
    isDirty = true;
    wake();
  };
  const watcher = new TreeWatcher({
    root,
    gitDirectory: gitDirectory(root),
    onChange: onEvent,
    persistent: true,
  });
  signal.addEventListener("abort", stop, { once: true });
  try {
    while (!signal.aborted) {
      // Before the files are read, so that changes during a run are reported.
      await watcher.watchNewDirectories(signal);
      isDirty = false;
      await onChange();
      while (!isDirty && watcher.isActive && !signal.aborted) {
        await new Promise<void>((resume) => {
          wake = resume;
        });
      }
      const quietMs = watcher.isActive ? QUIET_MS : POLL_EVERY_MS;
      await pause(quietMs, undefined, { signal }).catch(() => undefined);
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  } finally {
    signal.removeEventListener("abort", stop);
    watcher.close();
  }
}
