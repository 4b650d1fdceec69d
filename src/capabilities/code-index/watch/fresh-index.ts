import { setTimeout as pause } from "node:timers/promises";
import { DomainError } from "../../../core/errors.ts";
import type { Logger } from "../../../core/logger.ts";
import type { Progress, ProgressStep } from "../../../core/progress.ts";
import { hasChecksum } from "../../../core/store/checked-file.ts";
import type { ScanFlags } from "../scan/discover.ts";
import { readGitState, treeStateOf } from "../scan/tree-state.ts";
import type { IndexOutput } from "../schemas.ts";
import { hasChanges } from "../show.ts";
import { readMetadata } from "../store/code-store.ts";
import type { OpenIndexes } from "../store/open-indexes.ts";
import type { CodeProject } from "../store/project.ts";
import { ProjectWatch } from "./project-watch.ts";

export interface UpdateRun {
  readonly flags: ScanFlags;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}
interface FreshIndexOptions {
  readonly project: CodeProject;
  readonly indexes: OpenIndexes;
  readonly logger: Logger;
  /** Whether a run continues if nobody waits for it any more. */
  isServing(): boolean;
  /** How often the files were changed, if only this process changes them: then nobody has to look. */
  readonly writes: (() => number) | undefined;
  /** Indexes the files as they are when it is called, or later. */
  index(run: UpdateRun): Promise<IndexOutput>;
}
interface UpdateWait {
  readonly signal: AbortSignal;
  readonly progress: Progress;
  readonly waitMs: number;
}
export type UpdateOutcome =
  | { readonly state: "done"; readonly output: IndexOutput }
  | { readonly state: "late" }
  | { readonly state: "failed"; readonly cause: unknown };

/** An editor saves several files at once, and each in several steps. Runs without effect double it. */
const QUIET_MS = 100;
const MAX_QUIET_MS = 5_000;
/** A change shortly before a run may hide another one (see `isRacy`). A run after this time settles it. */
const SETTLE_AFTER_MS = 2_200;
/** Reports of changes can be lost, and some writes are never reported: trust silence no longer than this. */
const TRUST_MS = 30_000;
const MAX_WAIT_MS = 2 ** 31 - 1;

/** Keeps the index of one project up to date: before each search, and in the background while it is followed. */
export class FreshIndex {
  readonly #options: FreshIndexOptions;
  readonly #ending = new AbortController();
  /** The progress of each call that waits for a run. */
  readonly #waiting = new Set<Progress>();
  #watch: ProjectWatch | undefined;
  #stopRun = new AbortController();
  #running: Promise<IndexOutput> | undefined;
  #queued: Promise<IndexOutput> | undefined;
  /** Whether the run has begun to read files, and how many changes had been reported by then. */
  #isReading = false;
  #changesOfRun: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #quietMs = QUIET_MS;
  /** How many reported changes the index includes, and when we last looked ourselves. */
  #verified: { readonly changes: number | undefined; readonly at: number } | undefined;

  constructor(options: FreshIndexOptions) {
    this.#options = options;
  }

  /** From now on the index follows the disk. One process watches a project; the others check before each search. */
  follow(): void {
    const { project, logger } = this.#options;
    const { signal } = this.#ending;
    if (signal.aborted) return;
    const onChange = () => this.#updateAfter(this.#quietMs);
    this.#watch ??= new ProjectWatch({ project, logger, signal, onChange });
  }

  get root(): string {
    return this.#options.project.root;
  }

  /**
   * How many changes of the files were reported so far, including every one made before this call; `undefined` if this
   * process does not watch them. Changes made later, also in new directories, raise it.
   */
  async changes(): Promise<number | undefined> {
    const changes = await this.#watch?.changes();
    if (changes !== undefined) await this.#watch?.watchNewDirectories();
    return changes;
  }

  /**
   * Updates the index if it is behind, but waits at most `waitMs` for that. Returns the files that have changed, appeared
   * or gone since they were indexed; none if the index is up to date.
   */
  async bringUpToDate(wait: UpdateWait): Promise<readonly string[]> {
    if (await this.#isUpToDate(wait.signal)) return [];
    const outcome = await this.update(wait);
    if (outcome.state === "done") return [];
    const { project, indexes } = this.#options;
    const { findDifferences } = await import("../scan/differences.ts");
    return indexes.use(project, (code) => (code ? findDifferences(code, project.root, wait.signal) : []));
  }

  /** Runs an update that includes every change made before this call, and waits at most `waitMs` for it. */
  update(wait: UpdateWait): Promise<UpdateOutcome> {
    return this.#waitFor(this.#requestRun(), wait);
  }

  /** A run that a caller asked for. Updates wait for it instead of competing with it for the lock. */
  adopt(run: () => Promise<IndexOutput>): Promise<IndexOutput> {
    if (this.#running) return run();
    this.#isReading = true;
    this.#changesOfRun = undefined;
    const changes = this.#options.writes?.();
    const running = run().finally(() => {
      this.#running = undefined;
    });
    this.#running = running;
    if (changes === undefined) return running;
    return running.then((output) => {
      this.#verified = { changes, at: performance.now() };
      return output;
    });
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Waits for the run that is under way in this process; `undefined` if there is none. */
  async join(wait: UpdateWait): Promise<UpdateOutcome | undefined> {
    return this.#running && this.#waitFor(this.#running, wait);
  }

  /** Starts an update that no call waits for. Failures go to the log. */
  startUpdate(): void {
    this.#requestRun().catch((thrown: unknown) => {
      // A directory without code stays without an index; that is no failure.
      const isExpected = thrown instanceof DomainError && thrown.reason === "not_a_project";
      if (!isExpected && !this.#ending.signal.aborted)
        this.#options.logger.error("the code index was not updated:", thrown);
    });
  }

  async close(): Promise<void> {
    this.#ending.abort();
    clearTimeout(this.#timer);
    await Promise.allSettled([this.#running, this.#queued, this.#watch?.ended]);
  }

  /** While a watcher can be relied on, it knows. Otherwise git does, or nobody before a run. */
  async #isUpToDate(signal: AbortSignal): Promise<boolean> {
    const writes = this.#options.writes?.();
    if (writes !== undefined) return writes === this.#verified?.changes;
    const changes = await this.#watch?.changes();
    if (changes !== undefined) {
      if (changes !== this.#verified?.changes) return false;
      if (performance.now() - this.#verified.at < TRUST_MS) return true;
      this.#watch?.distrust();
      await this.#watch?.watchNewDirectories();
    }
    const { project, indexes } = this.#options;
    const now = Date.now();
    const git = await readGitState(project.root, signal);
    const treeState = git && treeStateOf(project.root, git, now);
    if (treeState === undefined) return false;
    const isSame = await indexes.use(
      project,
      (code) =>
        code !== undefined && readMetadata(code)["tree_state"] === treeState && hasChecksum(code.store.file),
    );
    if (isSame) this.#verified = { changes, at: performance.now() };
    return isSame;
  }

  /** The run continues if the wait ends, unless nobody else waits and this process only answers one call. */
  async #waitFor(
    run: Promise<IndexOutput>,
    { signal, progress, waitMs }: UpdateWait,
  ): Promise<UpdateOutcome> {
    const done = new AbortController();
    const late = pause(Math.min(waitMs, MAX_WAIT_MS), { state: "late" } as const, {
      signal: AbortSignal.any([signal, done.signal]),
    });
    this.#waiting.add(progress);
    try {
      const finished = run.then(
        (output) => ({ state: "done", output }) as const,
        (cause: unknown) => ({ state: "failed", cause }) as const,
      );
      return await Promise.race([finished, late]);
    } finally {
      done.abort();
      late.catch(() => undefined);
      this.#waiting.delete(progress);
      if (this.#waiting.size === 0 && !this.#options.isServing()) this.#stopRun.abort();
    }
  }

  /** A run that is under way may have read the files before the last change: then the caller gets the next one. */
  async #requestRun(): Promise<IndexOutput> {
    const changes = await this.#watch?.changes();
    if (!this.#running) return this.#startRun();
    const isIncluded = changes !== undefined && changes === this.#changesOfRun;
    if (!this.#isReading || isIncluded) return this.#running;
    this.#queued ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#queued = undefined;
        return this.#startRun();
      });
    return this.#queued;
  }

  #startRun(): Promise<IndexOutput> {
    this.#stopRun = new AbortController();
    this.#isReading = false;
    const run = this.#run(AbortSignal.any([this.#ending.signal, this.#stopRun.signal])).finally(() => {
      this.#running = undefined;
    });
    this.#running = run;
    return run;
  }

  async #run(signal: AbortSignal): Promise<IndexOutput> {
    const changes = this.#options.writes?.() ?? (await this.#watch?.changes());
    this.#changesOfRun = changes;
    this.#isReading = true;
    await this.#watch?.watchNewDirectories();
    signal.throwIfAborted();
    const progress: Progress = {
      report: (step: ProgressStep) => this.#waiting.forEach((waiting) => void waiting.report(step)),
      note: () => {},
    };
    const output = await this.#options.index({ flags: await this.#readFlags(), progress, signal });
    this.#verified = { changes, at: performance.now() };
    this.#quietMs = hasChanges(output) ? QUIET_MS : Math.min(this.#quietMs * 2, MAX_QUIET_MS);
    if (hasChanges(output) && this.#watch) void this.#settle();
    return output;
  }

  async #readFlags(): Promise<ScanFlags> {
    const { project, indexes } = this.#options;
    const metadata = await indexes
      .use(project, (code) => (code ? readMetadata(code) : {}))
      // A damaged index is rebuilt with the default flags.
      .catch(() => ({}));
    const { scanFlagsOf } = await import("../scan/differences.ts");
    return scanFlagsOf(metadata);
  }

  #updateAfter(milliseconds: number): void {
    if (this.#ending.signal.aborted || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#updateIfBehind();
    }, milliseconds).unref();
  }

  async #updateIfBehind(): Promise<void> {
    try {
      if (await this.#isUpToDate(this.#ending.signal)) {
        this.#quietMs = Math.min(this.#quietMs * 2, MAX_QUIET_MS);
        return;
      }
    } catch {
      // The run reports what is wrong.
    }
    this.startUpdate();
  }

  async #settle(): Promise<void> {
    const { signal } = this.#ending;
    await pause(SETTLE_AFTER_MS, undefined, { signal, ref: false }).catch(() => undefined);
    if (!signal.aborted) this.startUpdate();
  }
}
