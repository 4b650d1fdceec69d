import { type FSWatcher, watch } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** An editor saves several files at once, and each in several steps. */
const QUIET_MS = 300;
/** Where the system cannot watch a tree, it is looked at again this often. */
const LOOK_EVERY_MS = 5_000;

/** Calls `changed` at once and after each burst of changes below a root, until the signal ends it; never twice at once. */
export async function watchTree(
  root: string,
  changed: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let isDirty = false;
  let wake = () => {};
  const stop = () => wake();
  let watcher = openWatcher(root, () => {
    isDirty = true;
    wake();
  });
  watcher?.on("error", () => {
    watcher = undefined;
    wake();
  });
  signal.addEventListener("abort", stop, { once: true });
  try {
    // With the watcher standing: what changes during the first run is not lost.
    await changed();
    while (!signal.aborted) {
      if (watcher && !isDirty) {
        await new Promise<void>((resume) => {
          wake = resume;
        });
        continue;
      }
      await pause(watcher ? QUIET_MS : LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
      isDirty = false;
      if (!signal.aborted) await changed();
    }
  } finally {
    signal.removeEventListener("abort", stop);
    watcher?.close();
  }
}

/** `undefined` where the system cannot. */
function openWatcher(root: string, onChange: () => void): FSWatcher | undefined {
  try {
    return watch(root, { recursive: true }, (_event, name) => {
      // Our own reading of a repository may refresh its index file.
      if (name === null || !/^\.git(?:[\\/]|$)/.test(name)) onChange();
    });
  } catch {
    return undefined;
  }
}
