import { DomainError } from "../../../core/errors.ts";
import type { Embeddings } from "../../../core/search/index.ts";
import { isStorageFailure } from "../../../core/store/store-errors.ts";
import { type CodeStore, openCurrentFormat } from "./code-store.ts";
import { currentIndexFile } from "./generations.ts";
import type { CodeProject } from "./project.ts";

interface IndexHandle {
  readonly file: string;
  /** `undefined` if it has another format. */
  readonly opening: Promise<CodeStore | undefined>;
  users: number;
  /** Not used again: it closes when its last user is done. */
  isRetired: boolean;
}
interface OpenIndexesOptions {
  readonly maxOpen?: number;
  /** The file of a project's newest generation. */
  fileOf?(project: CodeProject): string | undefined;
  /** Whether other machines made the files. */
  readonly isForeign?: boolean;
}
const MAX_OPEN = 8;

/** Keeps the indexes open that this process reads, and reopens one when another process publishes a new generation. */
export class OpenIndexes {
  readonly #embeddings: Embeddings;
  /** By directory, least recently used first. */
  readonly #opened = new Map<string, IndexHandle>();
  readonly #maxOpen: number;
  readonly #fileOf: (project: CodeProject) => string | undefined;
  readonly #isForeign: boolean;

  constructor(
    embeddings: Embeddings,
    { maxOpen = MAX_OPEN, fileOf = currentIndexFile, isForeign = false }: OpenIndexesOptions = {},
  ) {
    this.#embeddings = embeddings;
    this.#maxOpen = maxOpen;
    this.#fileOf = fileOf;
    this.#isForeign = isForeign;
  }

  /** Calls `run` with the index, or with `undefined` if the project is not indexed. The index stays open until `run` ends. */
  async use<T>(project: CodeProject, run: (code: CodeStore | undefined) => T | Promise<T>): Promise<T> {
    const opened = this.#current(project);
    if (opened === undefined) return run(undefined);
    opened.users++;
    try {
      const code = await opened.opening.catch((cause: unknown): typeof REPLACED => {
        void this.#retire(project.directory, opened);
        if (this.#fileOf(project) === opened.file) throw unreadable(cause);
        return REPLACED;
      });
      // A new generation was published, and this one removed, before we opened it.
      return code === REPLACED ? await this.use(project, run) : await run(code);
    } finally {
      opened.users--;
      await closeUnused(opened);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#opened].map(([directory, opened]) => this.#retire(directory, opened)));
  }

  /** Must not await between looking and adding: concurrent calls share one entry. */
  #current(project: CodeProject): IndexHandle | undefined {
    const { directory } = project;
    const file = this.#fileOf(project);
    const known = this.#opened.get(directory);
    if (known && known.file !== file) void this.#retire(directory, known);
    if (file === undefined) return undefined;
    const opening = () =>
      openCurrentFormat(file, this.#embeddings, { readOnly: true, isForeign: this.#isForeign });
    const opened = known?.file === file ? known : { file, opening: opening(), users: 0, isRetired: false };
    this.#opened.delete(directory);
    this.#opened.set(directory, opened);
    const [oldest] = this.#opened;
    if (oldest && this.#opened.size > this.#maxOpen) void this.#retire(...oldest);
    return opened;
  }

  async #retire(directory: string, opened: IndexHandle): Promise<void> {
    if (this.#opened.get(directory) === opened) this.#opened.delete(directory);
    opened.isRetired = true;
    await closeUnused(opened);
  }
}

const REPLACED = Symbol("replaced");

async function closeUnused({ opening, users, isRetired }: IndexHandle): Promise<void> {
  if (!isRetired || users > 0) return;
  const code = await opening.catch(() => undefined);
  code?.store.close();
}

/** A new index does not help if the disk is the problem. */
const unreadable = (cause: unknown): unknown =>
  isStorageFailure(cause)
    ? cause
    : new DomainError("not_indexed", "The index cannot be read.", {
        reason: "not_indexed",
        next: { tool: "index_codebase" },
        cause,
      });

/** Throws the contract's error if the project is not indexed. */
export function requireIndex(code: CodeStore | undefined): CodeStore {
  if (code) return code;
  throw new DomainError("not_indexed", "Project not indexed.", {
    reason: "not_indexed",
    next: { tool: "index_codebase" },
  });
}
