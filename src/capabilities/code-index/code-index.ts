import type { Config } from "../../core/config/config.ts";
import type { Machine } from "../../core/machine.ts";
import { type Embeddings, openEmbeddings } from "../../core/search/index.ts";
import type { Call } from "../../core/tool.ts";
import { commandsHere, type IndexFlags } from "./commands-here.ts";
import { indexProject } from "./index-project.ts";
import { openFreshness } from "./scan/freshness.ts";
import type {
  CodeHits,
  CodeQuery,
  CodeQuestion,
  IndexedFile,
  IndexOutput,
  Neighbours,
  SearchOutput,
  StatusOutput,
  SymbolLocation,
} from "./schemas.ts";
import { CachedSearch } from "./search/cached-search.ts";
import { findNeighbours } from "./search/neighbours.ts";
import { requireQuery } from "./search/search-code.ts";
import { symbolsOfFile } from "./search/symbols.ts";
import type { CodeStore } from "./store/code-store.ts";
import { readStatus } from "./store/index-status.ts";
import { OpenIndexes, requireIndex } from "./store/open-indexes.ts";
import { type CodeProject, openProject, projectAt } from "./store/project.ts";
import { readFileAt } from "./store/stored-files.ts";
import { embedInBackground, embedProject } from "./watch/embed.ts";

/** The room's behaviour; the module is loaded when the first tool is called. */
export async function loadCodeIndex(machine: Machine): Promise<LoadedCodeIndex> {
  return new LoadedCodeIndex(machine, await machine.config());
}

export class LoadedCodeIndex {
  readonly #machine: Machine;
  readonly #isEmbeddingDisabled: boolean;
  readonly #embeddings: Embeddings;
  readonly #indexes: OpenIndexes;
  readonly #search: CachedSearch;
  /** By directory: the projects that the background embeds. */
  readonly #usedProjects = new Map<string, CodeProject>();
  readonly here: ReturnType<typeof commandsHere>;

  constructor(machine: Machine, config: Config) {
    this.#machine = machine;
    this.#isEmbeddingDisabled = config.embedding.provider === "disabled";
    this.#embeddings = openEmbeddings(config, machine);
    this.#indexes = new OpenIndexes(this.#embeddings);
    this.#search = new CachedSearch(this.#indexes);
    this.here = commandsHere({
      machine,
      index: (path, flags, call) => this.index(path, flags, call),
      withIndex: (path, use) => this.#withIndex(path, use),
      embed: async (path, call) => embedProject(await this.#useProject(path), this.#embeddings, call),
    });
  }

  async index(path: string, flags: IndexFlags, { progress, signal }: Call): Promise<IndexOutput> {
    const { home, now, logger } = this.#machine;
    return indexProject(
      { project: await this.#useProject(path), ...flags },
      {
        embeddings: this.#embeddings,
        model: { home, isDisabled: this.#isEmbeddingDisabled },
        now,
        logger,
        progress,
        signal,
      },
    );
  }

  async search(path: string, query: CodeQuery, { signal }: Call): Promise<SearchOutput> {
    requireQuery(query.query);
    return this.#search.answer(await this.#useProject(path), query, signal);
  }

  async hits(path: string, question: CodeQuestion, signal: AbortSignal): Promise<CodeHits> {
    const query: CodeQuery = { mode: "hybrid", filters: {}, ...question };
    const { hits, state } = await this.#search.search(await this.#useProject(path), query, signal);
    return { hits, state };
  }

  async status(path: string): Promise<StatusOutput> {
    const project = await this.#useProject(path);
    return this.#indexes.use(project, (code) => readStatus(project, code));
  }

  symbolsOfFiles(path: string, files: readonly string[]): Promise<readonly IndexedFile[]> {
    return this.#withIndex(path, (code, { root }) => {
      const isFresh = openFreshness(root);
      return files.map((file) => {
        const stored = readFileAt(code, file);
        return { symbols: symbolsOfFile(code, file), fresh: stored !== undefined && isFresh(stored) };
      });
    });
  }

  neighbours(path: string, location: SymbolLocation, signal: AbortSignal): Promise<Neighbours> {
    return this.#withIndex(path, (code) => findNeighbours(code, location, signal));
  }

  /** Embeds the served project and every project that was used, until `signal` aborts. */
  async embedInBackground(signal: AbortSignal): Promise<void> {
    const root = await this.#machine.roots.directory().catch(() => undefined);
    if (root !== undefined) {
      const served = projectAt(this.#machine, root);
      this.#usedProjects.set(served.directory, served);
    }
    const { logger } = this.#machine;
    await embedInBackground({ projects: this.#usedProjects, embeddings: this.#embeddings, logger }, signal);
  }

  async close(): Promise<void> {
    await this.#indexes.close();
    await this.#embeddings.close();
  }

  async #useProject(path: string): Promise<CodeProject> {
    const project = await openProject(this.#machine, path);
    this.#usedProjects.set(project.directory, project);
    return project;
  }

  async #withIndex<T>(
    path: string,
    use: (code: CodeStore, project: CodeProject) => T | Promise<T>,
  ): Promise<T> {
    const project = await this.#useProject(path);
    return this.#indexes.use(project, (code) => use(requireIndex(code), project));
  }
}
