import { type FSWatcher, watch } from "node:fs";
import { basename, join } from "node:path";
import { errnoOf } from "../errors.ts";
import { scanProject } from "./scan.ts";
import { walkTree } from "./walk.ts";

interface WatchOptions {
  /** How long a project must be quiet before its change is told. */
  readonly quietMs?: number;
  /** How often to look where the system cannot tell. */
  readonly pollMs?: number;
  readonly usePolling?: boolean;
}

/**
 * Calls `onChange` after files of a project changed, never twice at once, until `signal` aborts. One watcher per
 * directory that is not ignored; where the system has no more of them, it looks again every few seconds.
 */
export async function watchProject(
  root: string,
  onChange: () => void | Promise<void>,
  signal: AbortSignal,
  { quietMs = 200, pollMs = 2000, usePolling = false }: WatchOptions = {},
): Promise<void> {
  const watchers = new Map<string, FSWatcher>();
  let isPolling = usePolling;
  let changed: PromiseWithNotice = notice();
  const close = () => {
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
    changed.give();
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
        await watchDirectories({ root, watchers, signal, onEvent: () => changed.give(), fallBack });
      // After the watchers stand, so that nothing falls between the first look and them.
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

interface PromiseWithNotice {
  readonly promise: Promise<void>;
  readonly give: () => void;
}

function notice(): PromiseWithNotice {
  let give = () => {};
  const promise = new Promise<void>((settle) => {
    give = settle;
  });
  return { promise, give };
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

interface Watching {
  readonly root: string;
  readonly watchers: Map<string, FSWatcher>;
  readonly signal: AbortSignal;
  readonly onEvent: () => void;
  readonly fallBack: () => void;
}

/** Brings the watchers in line with the directories that exist now. */
async function watchDirectories({ root, watchers, signal, onEvent, fallBack }: Watching): Promise<void> {
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
      // An event of the directory itself: it went or was moved, and what stands at its path from now on is another.
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

/** Differs whenever the list of files, a size or a time differs. */
const stampOf = async (root: string, signal: AbortSignal) =>
  (await scanProject(root, signal))
    .map(({ path, size, mtimeMs }) => `${path}\0${size}\0${mtimeMs}`)
    .join("\n");
