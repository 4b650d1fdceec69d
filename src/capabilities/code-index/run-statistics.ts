import type { PreparedFiles } from "./prepare/prepare-files.ts";
import type { IndexPlan } from "./scan/plan.ts";
import type { IndexOutput } from "./schemas.ts";
import { megabytesOf } from "./store/generations.ts";
import type { CodeProject } from "./store/project.ts";

type RunCounts = Omit<IndexOutput["statistics"], "duration_seconds" | "index_size_mb">;
interface FinishedRun {
  readonly project: CodeProject;
  /** The database that holds the index now. */
  readonly file: string;
  /** By `performance.now()`. */
  readonly started: number;
}

const MAX_ERRORS = 100;

/** Counts what a run has done, and lists what it could not do. */
export class RunStatistics {
  readonly #errors: IndexOutput["errors"];
  readonly #counts: RunCounts = {
    files_indexed: 0,
    files_skipped: 0,
    files_failed: 0,
    symbols_extracted: 0,
    chunks_created: 0,
    embeddings_generated: 0,
    files_removed: 0,
    text_files_indexed: 0,
  };
  /** False if a file could not be read this time. */
  isComplete = true;
  /** Whether the index has new content, not only new times. */
  hasChanges = false;
  /** Includes the files that have not changed. */
  filesDone = 0;

  constructor(repositories: readonly string[] = []) {
    const error = "a repository of its own: index it by its own path";
    this.#errors = repositories.slice(0, MAX_ERRORS).map((file) => ({ file, error }));
  }

  addPlan({ toPrepare, unchanged, removed }: IndexPlan, filesFound: number): void {
    this.filesDone = filesFound - toPrepare.length;
    this.hasChanges = removed.length > 0;
    this.#counts.files_skipped = unchanged;
    this.#counts.files_removed = removed.length;
  }

  addBatch({ files, unchanged, refused, batch }: PreparedFiles): void {
    const counts = this.#counts;
    this.filesDone += files.length + unchanged.length + refused.length;
    if (files.length > 0 || refused.some(({ file }) => file.known)) this.hasChanges = true;
    for (const { path, language, problem, symbols, chunks } of files) {
      if (language === undefined) counts.text_files_indexed++;
      else if (problem === undefined) counts.files_indexed++;
      else this.#addError(path, problem);
      counts.symbols_extracted += symbols;
      counts.chunks_created += chunks.length;
    }
    counts.files_skipped += unchanged.filter(({ language }) => language !== undefined).length;
    for (const { file, error, isFinal } of refused) {
      if (error !== undefined) this.#addError(file.path, error);
      if (!isFinal) this.isComplete = false;
    }
    if (batch.vectors !== undefined) counts.embeddings_generated += batch.chunkCount;
  }

  output({ project, file, started }: FinishedRun): IndexOutput {
    const seconds = Math.round(performance.now() - started) / 1000;
    return {
      success: true,
      project_id: project.id,
      statistics: { ...this.#counts, duration_seconds: seconds, index_size_mb: megabytesOf(file) },
      errors: this.#errors,
      message: `Successfully indexed ${this.#counts.files_indexed} files in ${seconds} seconds`,
    };
  }

  #addError(file: string, error: string): void {
    this.#counts.files_failed++;
    if (this.#errors.length < MAX_ERRORS) this.#errors.push({ file, error });
  }
}
