import type { Logger } from "../../core/logger.ts";
import type { Machine } from "../../core/machine.ts";
import type { Progress } from "../../core/progress.ts";
import { type Embeddings, prepareDocuments } from "../../core/search/index.ts";
import type { PreparedFiles } from "./prepare/prepare-files.ts";
import type { WorkerModel } from "./prepare/prepare-worker.ts";
import { prepareInBatches } from "./prepare/worker-pool.ts";
import { RunStatistics } from "./run-statistics.ts";
import { type ChangedPaths, packGitState } from "./scan/changed-files.ts";
import type { DiscoveredFiles, ScanFlags } from "./scan/discover.ts";
import { openImportPaths, readModule } from "./scan/import-paths.ts";
import { type FileToPrepare, type IndexPlan, planRun } from "./scan/plan.ts";
import { compareContents } from "./scan/same-content.ts";
import { type GitState, isRacy } from "./scan/tree-state.ts";
import type { IndexOutput } from "./schemas.ts";
import {
  type CodeStore,
  createCodeStore,
  type IndexMetadata,
  includesMetadata,
  openUsable,
  readMetadata,
  writeMetadata,
} from "./store/code-store.ts";
import {
  buildFile,
  currentIndexFile,
  discardBuild,
  discardUnsyncedBuild,
  publishBuild,
} from "./store/generations.ts";
import type { CodeProject } from "./store/project.ts";
import type { ProgressFile } from "./store/run-lock.ts";
import { knownFiles, nextFileId, removeFiles, skippedFiles, writePrepared } from "./store/stored-files.ts";
import { INDEX_FORMAT } from "./store/tables.ts";

export interface IndexRequest extends ScanFlags {
  readonly project: CodeProject;
  readonly force: boolean;
  /** Nobody asked for this run: it waits until other runs are done. */
  readonly isUpdate?: boolean;
  /** The files are those of a commit: the index may be published. */
  readonly isCommit?: boolean;
}
export interface RunContext {
  readonly embeddings: Embeddings;
  readonly model: WorkerModel;
  /** The team's store, if there is one. */
  readonly teamUrl: string | undefined;
  readonly env: Machine["env"];
  readonly now: () => Date;
  readonly logger: Logger;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}
export interface TreeStates {
  readonly git: GitState | undefined;
  /** See `treeStateOf`. */
  readonly treeState: string | undefined;
}
export interface ProjectScan extends DiscoveredFiles, TreeStates {
  /** Set if the scan has only the files that may have changed. */
  readonly changed?: ChangedPaths;
}
interface RunState extends ProjectScan {
  readonly progressFile: ProgressFile;
  readonly startedAt: number;
}

interface ComparedPlan extends IndexPlan {
  /** Files with another time and the content that is indexed. */
  readonly touched: readonly FileToPrepare[];
}

/** A larger change is built beside the index in many commits; a smaller one is one transaction. */
const LARGE_CHANGE_FILES = 1_500;
const LARGE_CHANGE_BYTES = 24_000_000;

/** One run over a project, under its lock: prepares what changed, writes it, and publishes it. */
export class IndexRun {
  readonly #request: IndexRequest;
  readonly #context: RunContext;
  readonly #state: RunState;
  readonly #statistics: RunStatistics;
  #file = "";

  constructor(request: IndexRequest, context: RunContext, state: RunState) {
    this.#request = request;
    this.#context = context;
    this.#state = state;
    this.#statistics = new RunStatistics(state.repositories);
  }

  async bringUpToDate(): Promise<void> {
    const { project, force } = this.#request;
    const current = force ? undefined : currentIndexFile(project);
    if (force) discardBuild(project);
    if (current === undefined || !(await this.updateInPlace(current))) return this.#build();
    discardBuild(project);
  }

  output(started: number): IndexOutput {
    return this.#statistics.output({ project: this.#request.project, file: this.#file, started });
  }

  /** Returns false if the change is too large for one transaction, or the database cannot be used. */
  async updateInPlace(file: string): Promise<boolean> {
    const opened = await openUsable(file, this.#context);
    if (opened === undefined) return false;
    using code = opened;
    const plan = await this.#plan(code);
    if (isLarge(plan)) {
      discardBuild(this.#request.project);
      code.store.prepare("VACUUM INTO ?").run(buildFile(this.#request.project));
      return false;
    }
    const prepared: PreparedFiles[] = [];
    await this.#prepare(plan, (batch) => prepared.push(batch));
    const metadata = this.#metadata();
    const hasWork = [plan.removed, plan.toPrepare, plan.touched].some(({ length }) => length > 0);
    if (hasWork || !includesMetadata(readMetadata(code), metadata)) {
      code.store.transaction(() => {
        removeFiles(code, plan.removed);
        for (const batch of prepared) this.#write(code, batch);
        const hasSeenEdits = hasWork && !this.#request.isCommit;
        writeMetadata(code, { ...metadata, ...this.#times(code), ...(hasSeenEdits && NOT_ONLY_COMMITS) });
      });
    }
    this.#file = file;
    return true;
  }

  /** Commits each batch to a separate database, so that the next run can continue a killed one. */
  async #build(): Promise<void> {
    const { project, isCommit = false } = this.#request;
    const file = buildFile(project);
    discardUnsyncedBuild(project);
    const code =
      (await openUsable(file, this.#context)) ?? (await createCodeStore(file, this.#context.embeddings));
    code.store.exec("PRAGMA synchronous = OFF");
    if (!isCommit) writeMetadata(code, NOT_ONLY_COMMITS);
    try {
      const plan = await this.#plan(code);
      code.store.transaction(() => removeFiles(code, plan.removed));
      await this.#prepare(plan, (batch) => code.store.transaction(() => this.#write(code, batch)));
      code.store.transaction(() => writeMetadata(code, { ...this.#metadata(), ...this.#times(code) }));
      code.store.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } finally {
      code.store.close();
    }
    this.#file = await publishBuild(project);
  }

  async #plan(code: CodeStore): Promise<ComparedPlan> {
    const { files, changed } = this.#state;
    const { root } = this.#request.project;
    const known = changed?.known ?? knownFiles(code);
    const skipped = changed?.skipped ?? skippedFiles(code);
    const compared = planRun(files, { known, skipped, firstId: nextFileId(code) }, openImportPaths(root));
    const plan = { ...compared, unchanged: compared.unchanged + (changed?.otherSources ?? 0) };
    this.#statistics.addPlan(plan, files.length);
    const contents = await compareContents(root, plan.toPrepare, this.#context.signal);
    return { ...plan, toPrepare: contents.changed, touched: contents.unchanged };
  }

  async #prepare({ toPrepare, touched }: ComparedPlan, use: (batch: PreparedFiles) => void): Promise<void> {
    const onBatch = (batch: PreparedFiles) => {
      this.#statistics.addBatch(batch);
      use(batch);
      this.#reportProgress();
    };
    if (toPrepare.length > 0) this.#reportProgress();
    if (touched.length > 0)
      onBatch({ files: [], unchanged: touched, refused: [], batch: prepareDocuments([], undefined) });
    await prepareInBatches({ root: this.#request.project.root, files: toPrepare, onBatch }, this.#context);
  }

  #write(code: CodeStore, batch: PreparedFiles): void {
    const gone = batch.refused.filter(({ file }) => file.known).map(({ file }) => file.id);
    removeFiles(code, gone);
    writePrepared(code, withoutRacyTimes(batch, this.#state.startedAt));
  }

  #metadata(): IndexMetadata {
    const { root } = this.#request.project;
    const { files, repositories, git, treeState, changed } = this.#state;
    const { moduleName, goVersion } = readModule(root);
    const sources = files.filter(({ language }) => language !== undefined).length;
    // The next run must look again at a file that could not be read, even if git reports no change.
    const { isComplete } = this.#statistics;
    return {
      ...requestMetadata(this.#request),
      root,
      module_name: moduleName,
      go_version: goVersion,
      source_files: String(sources + (changed?.otherSources ?? 0)),
      tree_state: (isComplete && treeState) || "",
      // Each run reports the nested repositories, so it must find them.
      git_state: isComplete && repositories.length === 0 ? packGitState(git) : "",
    };
  }

  /** A run without changes keeps the times of the last run that had some. */
  #times(code: CodeStore): IndexMetadata {
    if (!this.#statistics.hasChanges && readMetadata(code)["last_indexed_at"] !== undefined) return {};
    const seconds = (Date.now() - this.#state.startedAt) / 1000;
    return { last_indexed_at: this.#context.now().toISOString(), duration_seconds: seconds.toFixed(3) };
  }

  #reportProgress(): void {
    const step = { done: this.#statistics.filesDone, total: this.#state.files.length, label: "files" };
    this.#context.progress.report(step);
    this.#state.progressFile.write(step);
  }
}

/** Deleted text stays in a database until its place is written again, so this is about all runs, not about the last. */
const NOT_ONLY_COMMITS: IndexMetadata = { only_commits: "" };

/** The part of the metadata that a request decides: an index for other flags is not up to date. */
export const requestMetadata = ({ includeTests, includeVendor }: IndexRequest): IndexMetadata => ({
  format: INDEX_FORMAT,
  include_tests: String(includeTests),
  include_vendor: String(includeVendor),
});

function isLarge({ toPrepare }: IndexPlan): boolean {
  const bytes = toPrepare.reduce((sum, { size }) => sum + size, 0);
  return toPrepare.length > LARGE_CHANGE_FILES || bytes > LARGE_CHANGE_BYTES;
}

/** A time of zero never matches, so the next run reads a file again that may have changed unnoticed. */
function withoutRacyTimes(batch: PreparedFiles, lookedAt: number): PreparedFiles {
  const steady = <F extends { readonly ctimeMs: number }>(file: F): F =>
    isRacy(file.ctimeMs, lookedAt) ? { ...file, ctimeMs: 0 } : file;
  return {
    ...batch,
    files: batch.files.map(steady),
    unchanged: batch.unchanged.map(steady),
    refused: batch.refused.map((entry) => ({ ...entry, file: steady(entry.file) })),
  };
}
