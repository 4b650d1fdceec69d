import type { IndexReport } from "./index-request.ts";
import type { PreparedFiles } from "./prepare/prepare-files.ts";
import type { Plan } from "./scan/plan.ts";

const MAX_ERRORS = 100;

/** What a run has done so far, and what it could not do. */
export class RunTally {
  readonly #errors: IndexReport["errors"][number][];
  readonly #counts = {
    filesIndexed: 0,
    filesSkipped: 0,
    filesFailed: 0,
    textFilesIndexed: 0,
    filesRemoved: 0,
    symbols: 0,
    chunks: 0,
    embeddings: 0,
  };
  #isComplete = true;
  #hasNews = false;
  #filesDone = 0;

  constructor(repositories: readonly string[]) {
    const error = "a repository of its own: index it by its own path";
    this.#errors = repositories.slice(0, MAX_ERRORS).map((file) => ({ file, error }));
  }

  /** False where a file could not be read this time. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Whether the index will say something else than before, beside times and hashes. */
  get hasNews(): boolean {
    return this.#hasNews;
  }

  /** Of all that were found, those too that are as they were. */
  get filesDone(): number {
    return this.#filesDone;
  }

  plan({ work, skipped, removed }: Plan, filesFound: number): void {
    this.#filesDone = filesFound - work.length;
    this.#hasNews = removed.length > 0;
    this.#counts.filesSkipped = skipped;
    this.#counts.filesRemoved = removed.length;
  }

  count({ files, unchanged, left, batch }: PreparedFiles): void {
    const counts = this.#counts;
    this.#filesDone += files.length + unchanged.length + left.length;
    if (files.length > 0 || left.some(({ file }) => file.known)) this.#hasNews = true;
    for (const { path, language, problem, symbols, chunks } of files) {
      if (language === undefined) counts.textFilesIndexed++;
      else if (problem === undefined) counts.filesIndexed++;
      else this.#fail(path, problem);
      counts.symbols += symbols;
      counts.chunks += chunks.length;
    }
    counts.filesSkipped += unchanged.filter(({ language }) => language !== undefined).length;
    for (const { file, error, isFinal } of left) {
      if (error !== undefined) this.#fail(file.path, error);
      if (!isFinal) this.#isComplete = false;
    }
    if (batch.vectors !== undefined) counts.embeddings += batch.chunkCount;
  }

  report(run: Pick<IndexReport, "seconds" | "bytes">): IndexReport {
    return { ...this.#counts, ...run, errors: this.#errors };
  }

  #fail(file: string, error: string): void {
    this.#counts.filesFailed++;
    if (this.#errors.length < MAX_ERRORS) this.#errors.push({ file, error });
  }
}
