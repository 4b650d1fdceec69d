import { DomainError } from "../../../core/errors.ts";
import type { Logger } from "../../../core/logger.ts";
import type { Generation, Replica } from "../../../core/replica/replica.ts";
import type { AccessBook, ServedProject } from "../access/access-book.ts";
import { projectKey } from "../projects/project-key.ts";
import type { FollowedProject, FollowedProjects } from "./followed-projects.ts";

interface ServedProjectsOptions {
  readonly indexes: FollowedProjects;
  readonly replica: Replica;
  readonly book: AccessBook;
  readonly logger: Logger;
}
const FOLLOW_AT_ONCE = 4;

/** The published indexes on this server, each at the commit that its worker published last, or at the one before. */
export class ServedProjects {
  readonly #options: ServedProjectsOptions;
  /** By key of a project: the commit that is here. */
  readonly #here = new Map<string, string>();
  /** By key of a project: a generation that is on its way. */
  readonly #coming = new Map<string, Promise<void>>();
  readonly counts = { hits: 0, misses: 0 };
  /** There may be something to follow. */
  isBehind = false;

  constructor(options: ServedProjectsOptions) {
    this.#options = options;
  }

  /** Finds what an earlier process left in the cache. */
  async open(): Promise<void> {
    for (const { generation } of await this.#options.indexes.held())
      this.#here.set(generation.project, generation.commit);
  }

  /** Runs with the index of a project. The first call for a project waits until its index is here. */
  async use<T>(
    project: ServedProject,
    run: (index: FollowedProject) => T | Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    if (project.commit === null) throw notIndexed();
    const key = projectKey(project.id);
    const isHere = this.#here.has(key);
    this.counts[isHere ? "hits" : "misses"] += 1;
    if (!isHere) await this.#follow(project);
    return this.#options.indexes.use(key, (index) => this.#check(index, run), signal);
  }

  /** The cache may have dropped an index and fetched the newest, which may not be the last that was published. */
  #check<T>(index: FollowedProject, run: (index: FollowedProject) => T | Promise<T>): T | Promise<T> {
    const { project, commit } = index.generation;
    if (this.#here.get(project) !== commit) {
      this.#here.set(project, commit);
      this.isBehind = true;
    }
    return run(index);
  }

  /** Fetches the newest generation of every project that is here. Calls get the old one until the new one is whole. */
  async followPublished(): Promise<void> {
    const behind = this.behind();
    for (let from = 0; from < behind.length; from += FOLLOW_AT_ONCE) {
      const together = behind.slice(from, from + FOLLOW_AT_ONCE).map((project) =>
        this.#follow(project).catch((thrown: unknown) => {
          const reason = thrown instanceof DomainError ? thrown.message : String(thrown);
          this.#options.logger.warn(`${project.name} stays at its old commit: ${reason}`);
        }),
      );
      await Promise.all(together);
    }
  }

  /** The projects that are here, but not at their newest commit. */
  behind(): ServedProject[] {
    const all = [...this.#options.book.projects()];
    return all.filter(({ id, commit }) => {
      const here = this.#here.get(projectKey(id));
      return here !== undefined && commit !== null && here !== commit;
    });
  }

  get size(): number {
    return this.#here.size;
  }

  /** Calls for the same project wait for one fetch. */
  #follow(project: ServedProject): Promise<void> {
    const key = projectKey(project.id);
    const coming = this.#coming.get(key) ?? this.#fetch(project).finally(() => this.#coming.delete(key));
    this.#coming.set(key, coming);
    return coming;
  }

  async #fetch(project: ServedProject): Promise<void> {
    const generation = await this.#generationOf(project);
    await this.#options.indexes.follow(generation);
    this.#here.set(generation.project, generation.commit);
  }

  async #generationOf({ id, kind, commit }: ServedProject): Promise<Generation> {
    const all = await this.#options.replica.registry.generations(projectKey(id), kind ?? "");
    const published = all.find((generation) => generation.commit === commit);
    if (!published) throw notIndexed();
    return published;
  }
}

const notIndexed = () =>
  new DomainError("not_indexed", "This project has no index yet. A worker makes it.", {
    reason: "not_indexed",
  });
