import { type FSWatcher, watch } from "node:fs";
import { basename, join } from "node:path";
import { errnoOf } from "../errors.ts";
import { scanProject } from "./scan.ts";
import { walkTree } from "./walk.ts";

interface WatchOptions {
  /** How long a project must be quiet before a change is reported. */
  readonly quietMs?: number;
  /** How often to look if the system cannot notify. */
  readonly pollMs?: number;
  readonly usePolling?: boolean;
}

/**
 * Calls `onChange` after files of a project changed, never concurrently, until `signal` aborts. Uses one watcher per
 * directory that is not ignored; if the system has no more watchers, it polls every few seconds.
 */
export async function watchProject(
  root: string,
  onChange: () => void | Promise<void>,
  signal: AbortSignal,
  { quietMs = 200, pollMs = 2000, usePolling = false }: WatchOptions = {},
): Promise<void> {
  const watchers = new Map<string, FSWatcher>();
  let isPolling = usePolling;
  let changed: ChangeNotice = notice();
  const close = () => {
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
    changed.notify();
  };
  const fallBack = () => {
    isPolling = true;
    close();
  };
  signal.addEventListener("abort", close, { once: true });
  try {
    let before = await stampOf(root, signal);
    while (!signal.aborted) {
      if (!isPolling)
        await watchDirectories({ root, watchers, signal, onEvent: () => changed.notify(), fallBack });
      // After the watchers are set up, so that no change before them is missed.
      const now = await stampOf(root, signal);
      if (now !== before) {
        before = now;
        await onChange();
      }
      await (isPolling ? settled(pollMs, signal) : changed.promise);
      if (isPolling) continue;
      await settled(quietMs, signal);
      changed = notice();
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  } finally {
    signal.removeEventListener("abort", close);
    close();
  }
}

interface ChangeNotice {
  readonly promise: Promise<void>;
  readonly notify: () => void;
}

function notice(): ChangeNotice {
  let notify = () => {};
  const promise = new Promise<void>((settle) => {
    notify = settle;
  });
  return { promise, notify };
}

const settled = (ms: number, signal: AbortSignal) =>
  new Promise<void>((settle) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      settle();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });

interface WatchState {
  readonly root: string;
  readonly watchers: Map<string, FSWatcher>;
  readonly signal: AbortSignal;
  readonly onEvent: () => void;
  readonly fallBack: () => void;
}

/** Adds and removes watchers to match the directories that exist now. */
async function watchDirectories({ root, watchers, signal, onEvent, fallBack }: WatchState): Promise<void> {
  const directories = new Set((await walkTree(root, signal)).directories);
  const forget = (isGone: (directory: string) => boolean) => {
    for (const [directory, watcher] of watchers) {
      if (!isGone(directory)) continue;
      watcher.close();
      watchers.delete(directory);
    }
  };
  forget((directory) => !directories.has(directory));
  for (const directory of directories) {
    if (watchers.has(directory) || signal.aborted) continue;
    try {
      const path = join(root, directory);
      const lost = () => {
        forget((other) => directory === "" || other === directory || other.startsWith(`${directory}/`));
        onEvent();
      };
      // An event of the directory itself: it was removed or moved, so its path now names another directory or none.
      const watcher = watch(path, (event, name) =>
        event === "rename" && name === basename(path) ? lost() : onEvent(),
      );
      watcher.on("error", lost);
      watchers.set(directory, watcher);
    } catch (thrown) {
      if (errnoOf(thrown) === "ENOENT") continue;
      fallBack();
      return;
    }
  }
}

/** Changes if the list of files, a size or a time changes. */
const stampOf = async (root: string, signal: AbortSignal) =>
  (await scanProject(root, signal))
    .map(({ path, size, mtimeMs }) => `${path}\0${size}\0${mtimeMs}`)
    .join("\n");
