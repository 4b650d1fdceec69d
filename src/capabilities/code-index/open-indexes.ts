import { DomainError } from "../../core/errors.ts";
import type { Embeddings } from "../../core/search/index.ts";
import { type CodeStore, openCodeStore } from "./code-store.ts";
import { readFacts } from "./facts.ts";
import { currentFile } from "./generations.ts";
import type { Project } from "./project.ts";
import { INDEX_FORMAT } from "./tables.ts";

interface Opened {
  readonly file: string;
  /** `undefined` where it is of another format. */
  readonly opening: Promise<CodeStore | undefined>;
  users: number;
  /** No longer handed out: it is closed when its last user is done. */
  isRetired: boolean;
}
const MAX_OPEN = 8;

/** Keeps the indexes that this process reads, and notices when another process has published a new one. */
export class OpenIndexes {
  readonly #embeddings: Embeddings;
  /** By directory, the longest unused first. */
  readonly #opened = new Map<string, Opened>();

  constructor(embeddings: Embeddings) {
    this.#embeddings = embeddings;
  }

  /** Hands the index, or `undefined` where the project is not indexed, to `run`; it stays open until that is done. */
  async use<T>(project: Project, run: (code: CodeStore | undefined) => T | Promise<T>): Promise<T> {
    const opened = this.#current(project);
    if (opened === undefined) return run(undefined);
    opened.users++;
    try {
      const code = await opened.opening.catch((cause: unknown): typeof REPLACED => {
        void this.#retire(project.directory, opened);
        if (currentFile(project) === opened.file) throw unreadable(cause);
        return REPLACED;
      });
      // Published anew, and this one removed, between our look and the opening.
      return code === REPLACED ? await this.use(project, run) : await run(code);
    } finally {
      opened.users--;
      await closeUnused(opened);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#opened].map(([directory, opened]) => this.#retire(directory, opened)));
  }

  /** Without a wait between the look and the entry, so that all who ask at once share one. */
  #current(project: Project): Opened | undefined {
    const { directory } = project;
    const file = currentFile(project);
    const known = this.#opened.get(directory);
    if (known && known.file !== file) void this.#retire(directory, known);
    if (file === undefined) return undefined;
    const opened =
      known?.file === file ? known : { file, opening: this.#open(file), users: 0, isRetired: false };
    this.#opened.delete(directory);
    this.#opened.set(directory, opened);
    const [oldest] = this.#opened;
    if (oldest && this.#opened.size > MAX_OPEN) void this.#retire(...oldest);
    return opened;
  }

  async #open(file: string): Promise<CodeStore | undefined> {
    const code = await openCodeStore(file, this.#embeddings, { readOnly: true });
    try {
      if (readFacts(code)["format"] === INDEX_FORMAT) return code;
    } catch (thrown) {
      code.store.close();
      throw thrown;
    }
    code.store.close();
    return undefined;
  }

  async #retire(directory: string, opened: Opened): Promise<void> {
    if (this.#opened.get(directory) === opened) this.#opened.delete(directory);
    opened.isRetired = true;
    await closeUnused(opened);
  }
}

const REPLACED = Symbol("replaced");

async function closeUnused({ opening, users, isRetired }: Opened): Promise<void> {
  if (!isRetired || users > 0) return;
  const code = await opening.catch(() => undefined);
  code?.store.close();
}

const unreadable = (cause: unknown) =>
  new DomainError("not_indexed", "The index cannot be read.", {
    reason: "not_indexed",
    next: { tool: "index_codebase" },
    cause,
  });

/** For those who cannot do without: the index, or the contract's error. */
export function required(code: CodeStore | undefined): CodeStore {
  if (code) return code;
  throw new DomainError("not_indexed", "Project not indexed.", {
    reason: "not_indexed",
    next: { tool: "index_codebase" },
  });
}
