import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { DomainError } from "../../../core/errors.ts";
import { acquireLock, type Lock } from "../../../core/lock/lock.ts";
import type { Logger } from "../../../core/logger.ts";
import { TreeWatcher } from "../../../core/scan/tree-watcher.ts";
import { gitDirectory } from "../scan/tree-state.ts";
import type { CodeProject } from "../store/project.ts";

interface ProjectWatchOptions {
  readonly project: CodeProject;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Called on each change, and once when the watch begins. */
  onChange(): void;
}

/** How often to try the lock of another process that watches, and to look at a tree that the system cannot watch. */
const RETRY_EVERY_MS = 2_000;

/** Watches a project's files if no other process does. When that process ends, this one takes over. */
export class ProjectWatch {
  readonly #options: ProjectWatchOptions;
  #watcher: TreeWatcher | undefined;
  #changes = 0;
  /** Resolves after the signal has aborted and the lock is released. */
  readonly ended: Promise<void>;

  constructor(options: ProjectWatchOptions) {
    this.#options = options;
    this.ended = this.#watchWhenFree().catch((thrown: unknown) => {
      if (!options.signal.aborted) options.logger.error("watching the project stopped:", thrown);
    });
  }

  /**
   * How many changes there were so far, including every one made before this call; `undefined` if this process does not
   * watch, or cannot rely on it.
   */
  async changes(): Promise<number | undefined> {
    if (!this.#watcher?.isReliable) return undefined;
    // The system may have queued reports that the event loop has not delivered yet.
    await nextTurn();
    await nextTurn();
    return this.#watcher.isReliable ? this.#changes : undefined;
  }

  /** See `TreeWatcher`. */
  async watchNewDirectories(): Promise<void> {
    await this.#watcher?.watchNewDirectories(this.#options.signal);
  }

  /** See `TreeWatcher`. */
  distrust(): void {
    this.#watcher?.distrust();
  }

  async #watchWhenFree(): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      const lock = await this.#tryLock();
      if (lock !== undefined) return this.#watch(lock);
      await pause(RETRY_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #tryLock(): Promise<Lock | undefined> {
    const { directory } = this.#options.project;
    try {
      return await acquireLock({ directory, name: "code-watch", purpose: "watching code" });
    } catch (thrown) {
      if (thrown instanceof DomainError && thrown.code === "busy") return undefined;
      throw thrown;
    }
  }

  /** Holds the lock until the signal aborts. */
  async #watch(lock: Lock): Promise<void> {
    using _lock = lock;
    const { project, signal } = this.#options;
    const onChange = () => {
      this.#changes++;
      this.#options.onChange();
    };
    const watcher = new TreeWatcher({
      root: project.root,
      gitDirectory: gitDirectory(project.root),
      onChange,
    });
    this.#watcher = watcher;
    onChange();
    try {
      while (!signal.aborted) {
        await pause(RETRY_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
        if (!watcher.isActive && !signal.aborted) this.#options.onChange();
      }
    } finally {
      watcher.close();
    }
  }
}
