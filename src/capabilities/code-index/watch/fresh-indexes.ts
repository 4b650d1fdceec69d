import { setTimeout as pause } from "node:timers/promises";
import { DomainError } from "../../../core/errors.ts";
import { once } from "../../../core/lazy.ts";
import type { Machine } from "../../../core/machine.ts";
import type { Call } from "../../../core/tool.ts";
import type { IndexOutput, OnMissing, RunningIndex } from "../schemas.ts";
import { type OpenIndexes, requireIndex } from "../store/open-indexes.ts";
import type { CodeProject } from "../store/project.ts";
import { readProgress } from "../store/run-lock.ts";
import { FreshIndex, type UpdateOutcome, type UpdateRun } from "./fresh-index.ts";

type CallWait = Pick<Call, "signal" | "progress">;
interface FreshIndexesOptions {
  readonly machine: Machine;
  readonly indexes: OpenIndexes;
  /** Whether this process serves calls until it is stopped. */
  isServing(): boolean;
  /** See `FreshIndex`; of the served project, which is then the only one. */
  readonly writes: (() => number) | undefined;
  index(project: CodeProject, run: UpdateRun): Promise<IndexOutput>;
}

/** A search waits this long for an update before it answers from the index as it is. */
const UPDATE_WAIT_MS = 300;
/** The same for a caller that wants to wait. Hundreds of files are indexed in this time. */
const LONG_UPDATE_WAIT_MS = 10_000;
/** The first index is worth waiting for: it answers better than the text of files. But clients give up after some time. */
const FIRST_INDEX_WAIT_MS = 10_000;
/** After this time, how far the run is says how long it will take. */
const ESTIMATE_AFTER_MS = 1_500;
/** The first seconds load parsers, which says nothing about the rest of so few files. */
const FEW_FILES = 500;
const LOOK_EVERY_MS = 100;

/** The projects that this process was asked about, each with its index kept up to date. */
export class FreshIndexes {
  readonly #options: FreshIndexesOptions;
  /** By directory. */
  readonly #known = new Map<string, FreshIndex>();
  readonly #servedRoot: () => Promise<string | undefined>;

  constructor(options: FreshIndexesOptions) {
    this.#options = options;
    this.#servedRoot = once(() => options.machine.roots.directory().catch(() => undefined));
  }

  /**
   * Makes sure that a project has an index. If it has none: throws (`fail`), or indexes it and returns whether that was
   * done in time. The served project is indexed in the background in any case.
   */
  async ensureIndexed(
    project: CodeProject,
    call: CallWait,
    onMissing: OnMissing,
    { waitMs = FIRST_INDEX_WAIT_MS }: { readonly waitMs?: number } = {},
  ): Promise<boolean> {
    const missing = await this.#whyMissing(project);
    if (missing !== undefined) {
      if (onMissing === "fail") {
        if (await this.#isServed(project)) this.#of(project).startUpdate();
        throw missing;
      }
      const run =
        onMissing !== "answer"
          ? this.#of(project).update({ ...call, waitMs: Number.POSITIVE_INFINITY })
          : this.#waitForFirstRun(project, call, waitMs);
      if (!isDone(await run)) return false;
    }
    await this.followIfServed(project);
    return true;
  }

  async isIndexed(project: CodeProject): Promise<boolean> {
    return (await this.#whyMissing(project)) === undefined;
  }

  /** Updates the index, but waits for that a moment only, or some seconds if the caller wants to wait. Returns the files that it is behind on. */
  bringUpToDate(
    project: CodeProject,
    { signal, progress }: CallWait,
    onMissing: OnMissing,
  ): Promise<readonly string[]> {
    const isPatient = onMissing === "wait" || onMissing === "preview";
    const waitMs = isPatient ? LONG_UPDATE_WAIT_MS : UPDATE_WAIT_MS;
    return this.#of(project).bringUpToDate({ signal, progress, waitMs });
  }

  /** The result of the first run, if it is under way in this process; else of `run`. */
  async joinFirstRun(
    project: CodeProject,
    call: CallWait,
    run: () => Promise<IndexOutput>,
  ): Promise<IndexOutput> {
    const fresh = this.#of(project);
    const isMissing = (await this.#whyMissing(project)) !== undefined;
    // Nothing is awaited between this look and the start: a search may begin a run at any time.
    if (isMissing && fresh.isRunning) {
      const outcome = await fresh.join({ ...call, waitMs: Number.POSITIVE_INFINITY });
      if (outcome?.state === "done") return outcome.output;
    }
    return fresh.adopt(run);
  }

  /** See `FreshIndex.adopt`. */
  adopt(project: CodeProject, run: () => Promise<IndexOutput>): Promise<IndexOutput> {
    return this.#of(project).adopt(run);
  }

  /** The index of the served project follows the disk. */
  async followIfServed(project: CodeProject): Promise<void> {
    if (await this.#isServed(project)) this.#of(project).follow();
  }

  /** See `FreshIndex.changes`; of the served project. */
  async changesOfServed(): Promise<number | undefined> {
    const root = await this.#servedRoot();
    return [...this.#known.values()].find((fresh) => fresh.root === root)?.changes();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#known.values()].map((fresh) => fresh.close()));
  }

  /** Gives up as soon as the run looks too long. Passes the progress of another process on, too. */
  async #waitForFirstRun(
    project: CodeProject,
    { signal, progress }: CallWait,
    waitMs: number,
  ): Promise<UpdateOutcome> {
    const started = performance.now();
    let isOver = false;
    const giveUp = async (): Promise<UpdateOutcome> => {
      for (;;) {
        const running = readProgress(project);
        const isLong = isTooLong(running, performance.now() - started, waitMs);
        if (isOver || isLong) return { state: "late" };
        if (running)
          progress.report({ done: running.files_done, total: running.files_total, label: "files" });
        await pause(LOOK_EVERY_MS, undefined, { ref: false });
      }
    };
    const run = this.#of(project).update({ signal, progress, waitMs });
    return Promise.race([run, giveUp()]).finally(() => {
      isOver = true;
    });
  }

  #of(project: CodeProject): FreshIndex {
    const { machine, indexes, isServing, writes, index } = this.#options;
    const fresh =
      this.#known.get(project.directory) ??
      new FreshIndex({
        project,
        indexes,
        logger: machine.logger,
        isServing,
        writes,
        index: (run) => index(project, run),
      });
    this.#known.set(project.directory, fresh);
    return fresh;
  }

  async #isServed({ root }: CodeProject): Promise<boolean> {
    return this.#options.isServing() && root === (await this.#servedRoot());
  }

  async #whyMissing(project: CodeProject): Promise<DomainError | undefined> {
    try {
      await this.#options.indexes.use(project, requireIndex);
      return undefined;
    } catch (thrown) {
      if (thrown instanceof DomainError && thrown.code === "not_indexed") return thrown;
      throw thrown;
    }
  }
}

/** Whether a run will, by what it has done so far, take longer than `waitMs`. */
function isTooLong(running: RunningIndex | undefined, waitedMs: number, waitMs: number): boolean {
  const isEstimated = running !== undefined && running.files_total > FEW_FILES;
  if (!isEstimated || waitedMs < ESTIMATE_AFTER_MS) return waitedMs > waitMs;
  return (waitedMs * running.files_total) / Math.max(1, running.files_done) > waitMs;
}

/** Throws the reason if the user must choose another directory. A directory without code is searched as text. */
function isDone(outcome: UpdateOutcome): boolean {
  if (outcome.state !== "failed") return outcome.state === "done";
  if (outcome.cause instanceof DomainError && outcome.cause.code === "invalid_input") throw outcome.cause;
  return false;
}
