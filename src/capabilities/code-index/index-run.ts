import { DomainError } from "../../core/errors.ts";
import {
  applyPrepared,
  type CodeStore,
  knownFiles,
  leftOut,
  nextFileId,
  openCodeStore,
  readFacts,
  removeFiles,
  writeFacts,
} from "./code-store.ts";
import { buildFile, currentFile, discardBuild, publish, removeDatabase, sizeOf } from "./generations.ts";
import {
  type IndexReport,
  type IndexRequest,
  type IndexSurroundings,
  type Look,
  secondsSince,
} from "./index-request.ts";
import { batchesOf, type Plan, planWork } from "./plan.ts";
import type { PreparedFiles } from "./prepare-files.ts";
import { openPreparers } from "./preparers.ts";
import { moduleFacts } from "./project.ts";
import { RunTally } from "./run-tally.ts";
import { INDEX_FORMAT } from "./tables.ts";

/** More than this is built beside the index in many commits; less is one transaction. */
const LARGE_CHANGE_FILES = 1_500;
const LARGE_CHANGE_BYTES = 24_000_000;
/** A file changed this shortly before we looked may change again within the same tick of its clock. */
const RACY_MS = 2_000;
/** What is wrong with a database that is then made anew. */
const REBUILT = new Set(["damaged", "not_found", "internal"]);

interface RunState extends Look {
  readonly note: { tell(step: { done: number; total: number; label: string }): void };
  readonly startedAt: number;
}

/** One run over a project, under its lock: what changed is prepared, written, and at the end published. */
export class IndexRun {
  readonly #request: IndexRequest;
  readonly #around: IndexSurroundings;
  readonly #state: RunState;
  readonly #tally: RunTally;
  #done = 0;
  #file = "";
  /** Whether the index will say something else than before, beside times and hashes. */
  #hasNews = false;

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
    const opened = await this.#openUsable(file);
    if (opened === undefined) return false;
    using code = opened;
    const plan = this.#plan(code);
    const bytes = plan.work.reduce((sum, { size }) => sum + size, 0);
    if (plan.work.length > LARGE_CHANGE_FILES || bytes > LARGE_CHANGE_BYTES) {
      discardBuild(this.#request.project);
      code.store.prepare("VACUUM INTO ?").run(buildFile(this.#request.project));
      return false;
    }
    const prepared: PreparedFiles[] = [];
    await this.#prepare(plan, (batch) => prepared.push(batch));
    const facts = await this.#facts();
    if (plan.removed.length > 0 || plan.work.length > 0 || hasOtherFacts(code, facts)) {
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
    const code = (await this.#openUsable(file)) ?? (await this.#openFresh(file));
    try {
      const plan = this.#plan(code);
      code.store.transaction(() => removeFiles(code, plan.removed));
      await this.#prepare(plan, (batch) => code.store.transaction(() => this.#apply(code, batch)));
      const facts = await this.#facts();
      code.store.transaction(() => writeFacts(code, { ...facts, ...this.#times(code) }));
      code.store.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } finally {
      code.store.close();
    }
    this.#file = await publish(project);
  }

  /** Damage, or an older format, is no reason to fail: the index is a cache. */
  async #openUsable(file: string): Promise<CodeStore | undefined> {
    try {
      const code = await openCodeStore(file, this.#around.embeddings);
      const format = readFacts(code)["format"];
      if (format === INDEX_FORMAT) return code;
      code.store.close();
    } catch (thrown) {
      if (thrown instanceof DomainError && !REBUILT.has(thrown.reason ?? thrown.code)) throw thrown;
      this.#around.logger.warn("the code index cannot be read and is made anew");
    }
    return undefined;
  }

  async #openFresh(file: string): Promise<CodeStore> {
    removeDatabase(file);
    const code = await openCodeStore(file, this.#around.embeddings);
    writeFacts(code, { format: INDEX_FORMAT });
    return code;
  }

  #plan(code: CodeStore): Plan {
    const plan = planWork(this.#state.found.candidates, {
      known: knownFiles(code),
      left: leftOut(code),
      firstId: nextFileId(code),
    });
    this.#tally.plan(plan);
    this.#hasNews = plan.removed.length > 0;
    this.#done = this.#state.found.candidates.length - plan.work.length;
    return plan;
  }

  async #prepare(plan: Plan, take: (batch: PreparedFiles) => void): Promise<void> {
    if (plan.work.length === 0) return;
    const { moduleName } = await moduleFacts(this.#request.project.root);
    const preparers = openPreparers(plan.work, this.#around.embeddings, this.#around.model);
    try {
      const waiting = batchesOf(plan.work, preparers.width).reverse();
      const worker = async () => {
        for (let files = waiting.pop(); files !== undefined; files = waiting.pop()) {
          this.#around.signal.throwIfAborted();
          const batch = await preparers.prepare({ root: this.#request.project.root, moduleName, files });
          this.#tally.count(batch);
          take(batch);
          this.#tell(files.length);
        }
      };
      this.#tell(0);
      await Promise.all(Array.from({ length: preparers.width }, worker));
    } finally {
      await preparers.close();
    }
  }

  #apply(code: CodeStore, batch: PreparedFiles): void {
    const gone = batch.left.filter(({ file }) => file.knownHash !== undefined).map(({ file }) => file.id);
    removeFiles(code, gone);
    if (gone.length > 0 || batch.files.length > 0) this.#hasNews = true;
    const settled = this.#state.startedAt - RACY_MS;
    // A time of zero never matches, so such a file is read again next time.
    const steady = <F extends { readonly ctimeMs: number }>(file: F): F =>
      file.ctimeMs < settled ? file : { ...file, ctimeMs: 0 };
    applyPrepared(code, {
      ...batch,
      files: batch.files.map(steady),
      unchanged: batch.unchanged.map(steady),
      left: batch.left.map((entry) => ({ ...entry, file: steady(entry.file) })),
    });
  }

  async #facts(): Promise<Record<string, string>> {
    const { includeTests, includeVendor, project } = this.#request;
    const { moduleName, goVersion } = await moduleFacts(project.root);
    return {
      format: INDEX_FORMAT,
      root: project.root,
      module_name: moduleName,
      go_version: goVersion,
      include_tests: String(includeTests),
      include_vendor: String(includeVendor),
      // What could not be read must be looked at again, whatever git says.
      tree_state: (this.#tally.isComplete && this.#state.treeState) || "",
      source_files: String(
        this.#state.found.candidates.filter(({ language }) => language !== undefined).length,
      ),
    };
  }

  /** Of the last run that found something to do. */
  #times(code: CodeStore): Record<string, string> {
    if (!this.#hasNews && readFacts(code)["last_indexed_at"] !== undefined) return {};
    const seconds = (Date.now() - this.#state.startedAt) / 1000;
    return { last_indexed_at: this.#around.now().toISOString(), duration_seconds: seconds.toFixed(3) };
  }

  #tell(files: number): void {
    this.#done += files;
    const step = { done: this.#done, total: this.#state.found.candidates.length, label: "files" };
    this.#around.progress.report(step);
    this.#state.note.tell(step);
  }
}

function hasOtherFacts(code: CodeStore, facts: Readonly<Record<string, string>>): boolean {
  const known = readFacts(code);
  return Object.entries(facts).some(([name, value]) => known[name] !== value);
}
