import { watch } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** An editor saves several files at once, and each in several steps. */
const QUIET_MS = 300;
/** Where the system cannot watch a tree, it is looked at again this often. */
const LOOK_EVERY_MS = 5_000;

/** Calls `changed` after each burst of changes below a root, until the signal ends it; never twice at once. */
export async function watchTree(
  root: string,
  changed: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const bursts = burstsUnder(root, signal);
  while (!signal.aborted) {
    if (!(await bursts.next(signal))) return;
    await changed();
  }
}

interface Bursts {
  /** True after a change has come and things are quiet again; false when the signal ended it. */
  next(signal: AbortSignal): Promise<boolean>;
}

function burstsUnder(root: string, signal: AbortSignal): Bursts {
  let isDirty = false;
  let isWatching = true;
  let wake = () => {};
  try {
    const watcher = watch(root, { recursive: true, signal }, (_event, name) => {
      // Our own reading of a repository may refresh its index file.
      if (name !== null && /^\.git(?:[\\/]|$)/.test(name)) return;
      isDirty = true;
      wake();
    });
    watcher.on("error", () => {
      isWatching = false;
      wake();
    });
  } catch {
    isWatching = false;
  }
  return {
    async next(ended) {
      while (!isDirty && isWatching && !ended.aborted) {
        await new Promise<void>((resume) => {
          wake = resume;
          ended.addEventListener("abort", () => resume(), { once: true });
        });
      }
      await pause(isWatching ? QUIET_MS : LOOK_EVERY_MS, undefined, { signal: ended }).catch(() => undefined);
      isDirty = false;
      return !ended.aborted;
    },
  };
}
