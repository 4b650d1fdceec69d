import { DomainError } from "../../core/errors.ts";
import type { Embeddings } from "../../core/search/index.ts";
import { type CodeStore, openCodeStore, readFacts } from "./code-store.ts";
import { currentFile } from "./generations.ts";
import type { Project } from "./project.ts";
import { INDEX_FORMAT } from "./tables.ts";

interface Opened {
  readonly file: string;
  readonly code: CodeStore;
}
const MAX_OPEN = 8;

/** Keeps the indexes that this process reads, and notices when another process has published a new one. */
export class OpenIndexes {
  readonly #embeddings: Embeddings;
  readonly #opened = new Map<string, Promise<Opened | undefined>>();

  constructor(embeddings: Embeddings) {
    this.#embeddings = embeddings;
  }

  /** `undefined` where the project is not indexed. */
  async find(project: Project): Promise<CodeStore | undefined> {
    const file = currentFile(project);
    const known = await this.#opened.get(project.directory);
    if (known && known.file === file) return known.code;
    this.#forget(project.directory, known);
    if (file === undefined) return undefined;
    const opening = this.#open(file);
    this.#opened.set(project.directory, opening);
    opening.catch(() => this.#opened.delete(project.directory));
    await this.#closeOldest();
    return (await opening)?.code;
  }

  /** The index, or the contract's error. */
  async get(project: Project): Promise<CodeStore> {
    const found = await this.find(project);
    if (found) return found;
    throw new DomainError("not_indexed", "Project not indexed. Run index_codebase first.", {
      reason: "not_indexed",
    });
  }

  async close(): Promise<void> {
    for (const [directory, opening] of [...this.#opened])
      this.#forget(directory, await opening.catch(() => undefined));
  }

  async #open(file: string): Promise<Opened | undefined> {
    let code: CodeStore | undefined;
    try {
      code = await openCodeStore(file, this.#embeddings, { readOnly: true });
      if (readFacts(code)["format"] === INDEX_FORMAT) return { file, code };
    } catch (cause) {
      code?.store.close();
      throw new DomainError("not_indexed", "The index cannot be read. Run index_codebase to make it anew.", {
        reason: "not_indexed",
        cause,
      });
    }
    code.store.close();
    return undefined;
  }

  async #closeOldest(): Promise<void> {
    if (this.#opened.size <= MAX_OPEN) return;
    const [oldest] = this.#opened;
    if (oldest) this.#forget(oldest[0], await oldest[1].catch(() => undefined));
  }

  #forget(directory: string, opened: Opened | undefined): void {
    this.#opened.delete(directory);
    opened?.code.store.close();
  }
}
