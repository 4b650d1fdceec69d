import type { Config } from "../../core/config/config.ts";
import { DomainError } from "../../core/errors.ts";
import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import { silentProgress } from "../../core/progress.ts";
import { type Embeddings, openEmbeddings } from "../../core/search/index.ts";
import type { Call } from "../../core/tool.ts";
import type { CodeReader } from "./code-reader.ts";
import { commandsHere, type IndexFlags } from "./commands-here.ts";
import { type FileList, listFiles } from "./file-list.ts";
import type { IndexRequest } from "./index-run.ts";
import type { Navigation } from "./navigation/navigation.ts";
import type { NeighboursQuestion } from "./navigation/neighbours.ts";
import type { PublishClone, Publishing } from "./published/publish-code.ts";
import { openFreshness } from "./scan/freshness.ts";
import { kindOnDisk } from "./scan/path-kind.ts";
import type {
  CodeHits,
  CodeQuery,
  CodeQuestion,
  ExplainedSearchOutput,
  IndexedFile,
  IndexedSymbol,
  IndexOutput,
  Neighbours,
  OnMissing,
  RunningIndex,
  SearchOutput,
  StatusOutput,
} from "./schemas.ts";
import { CachedSearch } from "./search/cached-search.ts";
import type { TextQuery } from "./search/find-text.ts";
import type { PreviewOptions } from "./search/preview.ts";
import { requireQuery } from "./search/search-code.ts";
import { symbolsNamed, symbolsOfFile } from "./search/symbols.ts";
import type { CodeStore } from "./store/code-store.ts";
import { currentIndexFile } from "./store/generations.ts";
import { readStatus } from "./store/index-status.ts";
import { OpenIndexes, requireIndex } from "./store/open-indexes.ts";
import { type CodeProject, openProject, projectAt } from "./store/project.ts";
import { readProgress } from "./store/run-lock.ts";
import { readFileAt } from "./store/stored-files.ts";
import { embedInBackground, embedProject } from "./watch/embed.ts";
import { FreshIndexes } from "./watch/fresh-indexes.ts";

/** A match of lines waits this long for the first index. */
const LINES_WAIT_MS = 40_000;

/** The room's behaviour; the module is loaded when the first tool is called. */
export async function loadCodeIndex(machine: Machine, options: CodeIndexOptions): Promise<LoadedCodeIndex> {
  return new LoadedCodeIndex(machine, await machine.config(), options);
}

interface CodeIndexOptions {
  isServing(): boolean;
  readonly publishClone: PublishClone | undefined;
  readonly writes?: (() => number) | undefined;
}

export class LoadedCodeIndex implements CodeReader {
  readonly #machine: Machine;
  readonly #isServing: () => boolean;
  readonly #isEmbeddingDisabled: boolean;
  readonly #teamUrl: string | undefined;
  readonly #embeddings: Embeddings;
  readonly #indexes: OpenIndexes;
  readonly #search: CachedSearch;
  readonly #fresh: FreshIndexes;
  /** By directory: the projects that the background embeds. */
  readonly #usedProjects = new Map<string, CodeProject>();
  readonly here: ReturnType<typeof commandsHere>;
  /** The served project. */
  readonly root: string;
  /** Loaded at the first question: a search must not wait for it. */
  readonly navigation: () => Promise<Navigation>;
  readonly publishing: () => Promise<Publishing>;

  constructor(machine: Machine, config: Config, { isServing, publishClone, writes }: CodeIndexOptions) {
    this.#machine = machine;
    this.#isServing = isServing;
    this.root = machine.root;
    this.#isEmbeddingDisabled = config.embedding.provider === "disabled";
    this.#teamUrl = config.team?.url;
    this.#embeddings = openEmbeddings(config, machine);
    this.#indexes = new OpenIndexes(this.#embeddings);
    this.#search = new CachedSearch(this.#indexes);
    this.#fresh = new FreshIndexes({
      machine,
      indexes: this.#indexes,
      writes,
      isServing,
      index: (project, { flags, ...run }) =>
        this.#run({ project, ...flags, force: false, isUpdate: true }, run),
    });
    this.here = commandsHere({
      machine,
      index: (path, flags, call) => this.index(path, flags, call),
      embeddings: this.#embeddings,
      embed: async (path, call) => embedProject(await this.#useProject(path), this.#embeddings, call),
    });
    const flags = { includeTests: true, includeVendor: false, isCommit: true };
    this.publishing = once(async () =>
      (await import("./published/publish-code.ts")).openPublishing({
        embeddings: this.#embeddings,
        teamUrl: this.#teamUrl,
        env: machine.env,
        now: machine.now,
        publishClone,
        useProject: (path) => this.#useProject(path),
        index: (project, force, call) =>
          this.#fresh.adopt(project, () => this.#run({ project, ...flags, force }, call)),
      }),
    );
    this.navigation = once(async () =>
      (await import("./navigation/navigation.ts")).openNavigation({
        root: machine.root,
        kindOf: kindOnDisk,
        withFreshIndex: (path, call, use) => this.#withFreshIndex(path, call, use),
      }),
    );
  }

  async index(path: string, flags: IndexFlags, call: Call): Promise<IndexOutput> {
    const project = await this.#useProject(path);
    const isDefault = !flags.force && flags.includeTests && !flags.includeVendor;
    const run = () => this.#run({ project, ...flags }, call);
    // A search may have started what this call asks for.
    const output = await (isDefault
      ? this.#fresh.joinFirstRun(project, call, run)
      : this.#fresh.adopt(project, run));
    await this.#fresh.followIfServed(project);
    return output;
  }

  /** Brings the index up to date before it answers; an answer that is behind says so. See `OnMissing` for the rest. */
  async search(
    path: string,
    query: CodeQuery,
    call: Call,
    { onMissing = "fail" }: { readonly onMissing?: OnMissing } = {},
  ): Promise<ExplainedSearchOutput> {
    requireQuery(query.query);
    const started = performance.now();
    const project = await this.#useProject(path);
    const { signal } = call;
    if (onMissing === "preview" && !(await this.#isSoonIndexed(project, signal))) {
      const preview = await this.#preview(project, query, { started, signal });
      if (preview) return preview;
    }
    if (!(await this.#fresh.ensureIndexed(project, call, onMissing))) {
      const { answerFromText } = await import("./search/search-text.ts");
      const early = { started, signal };
      return (await this.#preview(project, query, early)) ?? (await answerFromText(project, query, early));
    }
    // The model is loaded while git looks at the files. What cannot be loaded is a problem and not an exception.
    void this.#embeddings.quick();
    const behind = await this.#fresh.bringUpToDate(project, call, onMissing);
    return this.#search.answer(project, query, { behind, started, signal });
  }

  async #preview(project: CodeProject, query: CodeQuery, early: Omit<PreviewOptions, "embeddings">) {
    const { previewSearch } = await import("./search/preview.ts");
    return previewSearch(project, query, { embeddings: this.#embeddings, ...early });
  }

  /** A new work tree or clone starts from the index of another one. */
  async #isSoonIndexed(project: CodeProject, signal: AbortSignal): Promise<boolean> {
    if (await this.#fresh.isIndexed(project)) return true;
    const { isNearlyIndexed } = await import("./base/local-base.ts");
    return isNearlyIndexed(project, signal);
  }

  /** Waits for the first index: if a person asks, until it is there; if a server is asked, for some seconds. */
  async waitForIndex(path: string, call: Pick<Call, "signal" | "progress" | "caller">): Promise<void> {
    const isPerson = call.caller === "person";
    if (!isPerson && !this.#isServing()) return;
    const project = await this.#useProject(path);
    await this.#fresh.ensureIndexed(project, call, isPerson ? "wait" : "answer").catch((thrown: unknown) => {
      // A directory that must not be indexed, such as a home directory, can still be read.
      if (!(thrown instanceof DomainError) || thrown.code !== "invalid_input") throw thrown;
    });
  }

  /** Lines are matched in the index, so there must be one. Clients wait about a minute for an answer. */
  async matchLines(
    path: string,
    query: TextQuery,
    call: Call,
    { onMissing }: { readonly onMissing: OnMissing },
  ): Promise<SearchOutput> {
    requireQuery(query.pattern);
    const project = await this.#useProject(path);
    const isIndexed = await this.#fresh.ensureIndexed(project, call, onMissing, { waitMs: LINES_WAIT_MS });
    const running = isIndexed ? undefined : readProgress(project);
    if (running) throw stillIndexing(running);
    await this.#fresh.bringUpToDate(project, call, onMissing);
    const { matchLines } = await import("./search/find-text.ts");
    return this.#withIndex(path, (code) => matchLines(code, query, call.signal));
  }

  async hits(path: string, question: CodeQuestion, signal: AbortSignal): Promise<CodeHits> {
    const query: CodeQuery = { mode: "hybrid", filters: {}, ...question };
    const project = await this.#useProject(path);
    const call = { signal, progress: silentProgress };
    await this.#fresh.ensureIndexed(project, call, "fail");
    const behind = await this.#fresh.bringUpToDate(project, call, "fail");
    const { found, hits, state } = await this.#search.search(project, query, signal);
    return { hits, state, behind, model: found.model };
  }

  async status(path: string): Promise<StatusOutput> {
    const project = await this.#useProject(path);
    return this.#indexes.use(project, (code) => readStatus(project, code));
  }

  /** All indexed files, and how many changed since they were indexed. */
  async files(path: string, call: Call): Promise<FileList> {
    const files = await this.#withIndex(path, listFiles);
    const behind = await this.#fresh.bringUpToDate(await this.#useProject(path), call, "answer");
    return { files, files_changed: behind.length };
  }

  symbols(path: string, name: string | undefined, limit: number): Promise<IndexedSymbol[]> {
    return this.#withIndex(path, (code) => symbolsNamed(code, name, limit));
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

  async neighbours(path: string, question: NeighboursQuestion): Promise<readonly Neighbours[]> {
    const { neighboursOf } = await import("./navigation/neighbours.ts");
    return this.#withIndex(path, (code) => code.store.snapshot(() => neighboursOf(code, question)));
  }

  treeChanges(): Promise<number | undefined> {
    return this.#fresh.changesOfServed();
  }

  /** Follows the served project, if it is indexed, and embeds it and every project that was used, until `signal` aborts. */
  async runInBackground(signal: AbortSignal): Promise<void> {
    const root = await this.#machine.roots.directory().catch(() => undefined);
    if (root !== undefined) {
      const served = projectAt(this.#machine, root);
      this.#usedProjects.set(served.directory, served);
      if (currentIndexFile(served) !== undefined) await this.#fresh.followIfServed(served);
    }
    const { logger } = this.#machine;
    await embedInBackground({ projects: this.#usedProjects, embeddings: this.#embeddings, logger }, signal);
  }

  async close(): Promise<void> {
    await this.#fresh.close();
    await this.#indexes.close();
    await this.#embeddings.close();
  }

  async #run(
    request: IndexRequest,
    { progress, signal }: Pick<Call, "progress" | "signal">,
  ): Promise<IndexOutput> {
    const { indexProject } = await import("./index-project.ts");
    const { home, now, logger, env } = this.#machine;
    const model = { home, isDisabled: this.#isEmbeddingDisabled };
    const { embeddings, teamUrl } = { embeddings: this.#embeddings, teamUrl: this.#teamUrl };
    return indexProject(request, { embeddings, model, teamUrl, env, now, logger, progress, signal });
  }

  async #useProject(path: string): Promise<CodeProject> {
    const project = await openProject(this.#machine, path);
    this.#usedProjects.set(project.directory, project);
    return project;
  }

  /** Indexes the project if it is not, and brings the index up to date if that takes a moment only. */
  async #withFreshIndex<T>(
    path: string,
    call: Pick<Call, "signal" | "progress">,
    use: (code: CodeStore) => T,
  ): Promise<T & { files_changed: number }> {
    const project = await this.#useProject(path);
    await this.#fresh.ensureIndexed(project, call, "wait");
    const behind = await this.#fresh.bringUpToDate(project, call, "answer");
    return this.#indexes.use(project, (code) => ({
      ...use(requireIndex(code)),
      files_changed: behind.length,
    }));
  }

  async #withIndex<T>(
    path: string,
    use: (code: CodeStore, project: CodeProject) => T | Promise<T>,
  ): Promise<T> {
    const project = await this.#useProject(path);
    return this.#indexes.use(project, (code) => use(requireIndex(code), project));
  }
}

function stillIndexing({ files_done: done, files_total: total }: RunningIndex): DomainError {
  const share = `${done} of ${total} files`;
  return new DomainError(
    "busy",
    `The project is being indexed for the first time (${share}). Try again soon.`,
    {
      reason: "already_indexing",
    },
  );
}
