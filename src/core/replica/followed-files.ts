import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../errors.ts";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { byCodeUnit } from "../order.ts";
import { type FollowedFile, followGeneration, wholeFile } from "./follow.ts";
import { followedFile } from "./local-files.ts";
import { Generation, type Replica } from "./replica.ts";

export interface HeldGeneration {
  readonly generation: Generation;
  readonly bytes: number;
}
interface FollowedFilesOptions {
  readonly replica: Replica;
  /** Only generations of this kind are followed. */
  readonly kind: string;
  /** One process at a time uses it. */
  readonly directory: string;
  readonly maxBytes: number;
}
const NAME = "followed.json";
const PROJECT = /^[0-9a-f]{64}$/;

/** The newest followed generation of each project, in a directory of bounded size. */
export class FollowedFiles {
  readonly #options: FollowedFilesOptions;
  /** By project: what this process has verified. */
  readonly #current = new Map<string, Generation>();
  /** By project: changes of one directory come one after another. */
  readonly #changes = new Map<string, Promise<unknown>>();
  /** By project: how many calls use it. */
  readonly #users = new Map<string, number>();
  /** By project, least recently used first. */
  readonly #used = new Set<string>();

  constructor(options: FollowedFilesOptions) {
    this.#options = options;
  }

  /** Runs with what is here of a project; if that is nothing, with its newest generation. It is not removed meanwhile. */
  async use<T>(
    project: string,
    run: (generation: Generation) => T | Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    if (!PROJECT.test(project)) throw notPublished();
    this.#used.delete(project);
    this.#used.add(project);
    this.#users.set(project, 1 + (this.#users.get(project) ?? 0));
    try {
      const known = this.#current.get(project);
      return await run(known ?? (await this.#inTurn(project, () => this.#start(project, signal))));
    } finally {
      this.#users.set(project, (this.#users.get(project) ?? 1) - 1);
    }
  }

  /** Fetches what is missing of a generation. `use` gives it from then on. */
  follow(generation: Generation, signal?: AbortSignal): Promise<FollowedFile> {
    return this.#inTurn(generation.project, () => this.#fetch(generation, signal));
  }

  /** What `use` gives now. */
  current(project: string): Generation | undefined {
    return this.#current.get(project);
  }

  fileOf = ({ project, manifest }: Generation): string => followedFile(this.directoryOf(project), manifest);

  directoryOf = (project: string): string => join(this.#options.directory, project);

  async held(): Promise<readonly HeldGeneration[]> {
    const names = await readdir(this.#options.directory).catch(() => []);
    const found = await Promise.all(
      names.sort(byCodeUnit).map(async (project) => {
        const generation = await this.#here(project);
        if (generation === undefined) return [];
        const size = (await stat(this.fileOf(generation)).catch(() => undefined))?.size;
        return size === undefined ? [] : [{ generation, bytes: size }];
      }),
    );
    return found.flat();
  }

  /** After a start of the process: the file may have been damaged since it was fetched. */
  async #start(project: string, signal: AbortSignal | undefined): Promise<Generation> {
    const known = this.#current.get(project);
    if (known) return known;
    const here = await this.#here(project);
    if (here && (await wholeFile(this.directoryOf(project), here.manifest, signal))) {
      this.#current.set(project, here);
      return here;
    }
    const { replica, kind } = this.#options;
    const [newest] = await replica.registry.generations(project, kind);
    if (newest === undefined) throw notPublished();
    await this.#fetch(newest, signal);
    return newest;
  }

  async #fetch(generation: Generation, signal: AbortSignal | undefined): Promise<FollowedFile> {
    const directory = this.directoryOf(generation.project);
    const verified = this.#current.get(generation.project)?.manifest;
    const options = { verified, signal };
    const followed = await followGeneration(generation, directory, this.#options.replica, options);
    await writeFileAtomic(join(directory, NAME), JSON.stringify(generation), 0o600);
    this.#current.set(generation.project, generation);
    await this.#makeRoom(generation.project);
    return followed;
  }

  /** Projects that nobody uses leave, least recently used first. */
  async #makeRoom(kept: string): Promise<void> {
    const held = await this.held();
    let bytes = held.reduce((sum, one) => sum + one.bytes, 0);
    const age = [...this.#used];
    const inOrder = held
      .map(({ generation: { project }, bytes: size }) => ({ project, size, usedAt: age.indexOf(project) }))
      .sort((a, b) => a.usedAt - b.usedAt);
    for (const { project, size } of inOrder) {
      if (bytes <= this.#options.maxBytes) return;
      if (project === kept || this.#changes.has(project) || (this.#users.get(project) ?? 0) > 0) continue;
      this.#current.delete(project);
      await this.#inTurn(project, () => rm(this.directoryOf(project), { recursive: true, force: true }));
      bytes -= size;
    }
  }

  async #inTurn<T>(project: string, run: () => Promise<T>): Promise<T> {
    const before = this.#changes.get(project) ?? Promise.resolve();
    const change = before.then(run, run);
    this.#changes.set(project, change);
    try {
      return await change;
    } finally {
      if (this.#changes.get(project) === change) this.#changes.delete(project);
    }
  }

  async #here(project: string): Promise<Generation | undefined> {
    try {
      const text = await readFile(join(this.directoryOf(project), NAME), "utf8");
      const generation = Generation.parse(JSON.parse(text));
      return generation.kind === this.#options.kind ? generation : undefined;
    } catch {
      return undefined;
    }
  }
}

const notPublished = () =>
  new DomainError("not_found", "Nothing of this project is published in the team's store.", {
    reason: "not_published",
  });
