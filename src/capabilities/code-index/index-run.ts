import {
  type IndexReport,
  type IndexRequest,
  type IndexSurroundings,
  type Look,
  secondsSince,
} from "./index-request.ts";
import type { PreparedFiles } from "./prepare/prepare-files.ts";
import { prepareWork } from "./prepare/prepare-work.ts";
import { RunTally } from "./run-statistics.ts";
import { openImportPaths } from "./scan/import-paths.ts";
import { type Plan, planWork } from "./scan/plan.ts";
import { withoutRacyTimes } from "./scan/racy-times.ts";
import {
  applyPrepared,
  type CodeStore,
  knownFiles,
  leftOut,
  nextFileId,
  removeFiles,
} from "./store/code-store.ts";
import {
  type Facts,
  factsOfProject,
  factsOfRequest,
  hasFacts,
  readFacts,
  writeFacts,
} from "./store/facts.ts";
import { buildFile, currentFile, discardBuild, publish, sizeOf } from "./store/generations.ts";
import { openEmpty, openUsable } from "./store/open-for-run.ts";
import type { RunNote } from "./store/run-lock.ts";

/** More than this is built beside the index in many commits; less is one transaction. */
const LARGE_CHANGE_FILES = 1_500;
const LARGE_CHANGE_BYTES = 24_000_000;

interface RunState extends Look {
  readonly note: RunNote;
  readonly startedAt: number;
}

/** One run over a project, under its lock: what changed is prepared, written, and at the end published. */
export class IndexRun {
  readonly #request: IndexRequest;
  readonly #around: IndexSurroundings;
  readonly #state: RunState;
  readonly #tally: RunTally;
  #file = "";

  constructor(request: IndexRequest, around: IndexSurroundings, state: RunState) {
    this.#request = request;
    this.#around = around;
    this.#state = state;
    this.#tally = new RunTally(state.found.repositories);
  }

  async bringUpToDate(): Promise<void> {
    const { project, force } = this.#request;
    const current = force ? undefined : currentFile(project);
    if (force) discardBuild(project);
    if (current === undefined || !(await this.#updateInPlace(current))) return this.#build();
    discardBuild(project);
  }

  report(started: number): IndexReport {
    return this.#tally.report({ seconds: secondsSince(started), bytes: sizeOf(this.#file) });
  }

  /** False where the change is too large for one transaction, or what is there cannot be used. */
  async #updateInPlace(file: string): Promise<boolean> {
    const opened = await openUsable(file, this.#around);
    if (opened === undefined) return false;
    using code = opened;
    const plan = this.#plan(code);
    if (isLarge(plan)) {
      discardBuild(this.#request.project);
      code.store.prepare("VACUUM INTO ?").run(buildFile(this.#request.project));
      return false;
    }
    const prepared: PreparedFiles[] = [];
    await this.#prepare(plan, (batch) => prepared.push(batch));
    const facts = this.#facts();
    if (plan.removed.length > 0 || plan.work.length > 0 || !hasFacts(readFacts(code), facts)) {
      code.store.transaction(() => {
        removeFiles(code, plan.removed);
        for (const batch of prepared) this.#apply(code, batch);
        writeFacts(code, { ...facts, ...this.#times(code) });
      });
    }
    this.#file = file;
    return true;
  }

  /** Commits batch by batch into a database of its own, so that a killed run is continued by the next. */
  async #build(): Promise<void> {
    const { project } = this.#request;
    const file = buildFile(project);
    const code = (await openUsable(file, this.#around)) ?? (await openEmpty(file, this.#around));
    try {
      const plan = this.#plan(code);
      code.store.transaction(() => removeFiles(code, plan.removed));
      await this.#prepare(plan, (batch) => code.store.transaction(() => this.#apply(code, batch)));
      code.store.transaction(() => writeFacts(code, { ...this.#facts(), ...this.#times(code) }));
      code.store.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } finally {
      code.store.close();
    }
    this.#file = await publish(project);
  }

  #plan(code: CodeStore): Plan {
    const { candidates } = this.#state.found;
    const indexed = { known: knownFiles(code), left: leftOut(code), firstId: nextFileId(code) };
    const plan = planWork(candidates, indexed, openImportPaths(this.#request.project.root));
    this.#tally.plan(plan, candidates.length);
    return plan;
  }

  async #prepare({ work }: Plan, keep: (batch: PreparedFiles) => void): Promise<void> {
    const take = (batch: PreparedFiles) => {
      this.#tally.count(batch);
      keep(batch);
      this.#tell();
    };
    if (work.length > 0) this.#tell();
    await prepareWork({ root: this.#request.project.root, files: work, take }, this.#around);
  }

  #apply(code: CodeStore, batch: PreparedFiles): void {
    const gone = batch.left.filter(({ file }) => file.known).map(({ file }) => file.id);
    removeFiles(code, gone);
    applyPrepared(code, withoutRacyTimes(batch, this.#state.startedAt));
  }

  #facts(): Facts {
    return {
      ...factsOfRequest(this.#request),
      ...factsOfProject(this.#request.project.root, this.#state.found.candidates),
      // What could not be read must be looked at again, whatever git says.
      tree_state: (this.#tally.isComplete && this.#state.treeState) || "",
    };
  }

  /** Of the last run that found something to do. */
  #times(code: CodeStore): Facts {
    if (!this.#tally.hasNews && readFacts(code)["last_indexed_at"] !== undefined) return {};
    const seconds = (Date.now() - this.#state.startedAt) / 1000;
    return { last_indexed_at: this.#around.now().toISOString(), duration_seconds: seconds.toFixed(3) };
  }

  #tell(): void {
    const total = this.#state.found.candidates.length;
    const step = { done: this.#tally.filesDone, total, label: "files" };
    this.#around.progress.report(step);
    this.#state.note.tell(step);
  }
}

function isLarge({ work }: Plan): boolean {
  const bytes = work.reduce((sum, { size }) => sum + size, 0);
  return work.length > LARGE_CHANGE_FILES || bytes > LARGE_CHANGE_BYTES;
}
