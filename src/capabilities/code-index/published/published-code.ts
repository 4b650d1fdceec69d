import { basename, resolve } from "node:path";
import type { Machine } from "../../../core/machine.ts";
import type { FollowedFile } from "../../../core/replica/follow.ts";
import { FollowedFiles, type HeldGeneration } from "../../../core/replica/followed-files.ts";
import type { Generation, Replica } from "../../../core/replica/replica.ts";
import { openEmbeddings } from "../../../core/search/index.ts";
import { CachedSearch } from "../search/cached-search.ts";
import type { CodeStore } from "../store/code-store.ts";
import { OpenIndexes, requireIndex } from "../store/open-indexes.ts";
import type { CodeProject } from "../store/project.ts";
import { CODE_KIND } from "../store/tables.ts";
import { type FollowedCode, followedCode } from "./followed-code.ts";

export interface PublishedCodeOptions {
  readonly replica: Replica;
  /** Our own; one process at a time uses it. */
  readonly directory: string;
  /** Projects that were not used for long leave when there is more. */
  readonly maxBytes?: number;
  /** How many indexes are open at once: vectors and lists are in memory. */
  readonly maxOpen?: number;
}
const MAX_BYTES = 20_000_000_000;

/** Published indexes that this process follows. */
export interface PublishedCode extends AsyncDisposable {
  /**
   * Runs with what is here of a project. If that is nothing, its newest generation is fetched first. Newer ones are fetched
   * by `follow` only, so this works while the store is away. The index stays open until `run` ends.
   */
  use<T>(project: string, run: (code: FollowedCode) => T | Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Fetches what is missing of a generation. `use` gives it from then on. */
  follow(generation: Generation, signal?: AbortSignal): Promise<FollowedFile>;
  held(): Promise<readonly HeldGeneration[]>;
}

export async function loadPublishedCode(
  machine: Machine,
  { replica, directory, maxBytes = MAX_BYTES, maxOpen }: PublishedCodeOptions,
): Promise<PublishedCode> {
  const files = new FollowedFiles({ replica, directory, maxBytes, kind: CODE_KIND });
  const embeddings = openEmbeddings(await machine.config(), machine);
  const indexes = new OpenIndexes(embeddings, {
    ...(maxOpen !== undefined && { maxOpen }),
    isForeign: true,
    fileOf({ directory: place }) {
      const current = files.current(basename(place));
      return current && files.fileOf(current);
    },
  });
  const search = new CachedSearch(indexes, () => () => true);
  const opened = new WeakMap<CodeStore, FollowedCode>();
  return {
    use: (id, run, signal) =>
      files.use(
        id,
        (first) => {
          const project = projectOf(first, files.directoryOf(id));
          return indexes.use(project, (found) => {
            const code = requireIndex(found);
            // A newer generation may have been followed before this one was opened.
            const now = files.current(id) ?? first;
            const generation = code.store.file === files.fileOf(now) ? now : first;
            const known = opened.get(code);
            if (known?.generation.commit === generation.commit) return run(known);
            const made = followedCode({ project, generation, code, search });
            opened.set(code, made);
            return run(made);
          });
        },
        signal,
      ),
    follow: (generation, signal) => files.follow(generation, signal),
    held: () => files.held(),
    async [Symbol.asyncDispose]() {
      await indexes.close();
      await embeddings.close();
    },
  };
}

/** Its root is a name that looks like an absolute path, because tools take one. */
const projectOf = ({ project, name }: Generation, directory: string): CodeProject => ({
  root: resolve("/", name.replaceAll(/[^\w.-]+/g, "-").replace(/^[.-]+/, "") || "project"),
  directory,
  id: Number.parseInt(project.slice(0, 8), 16) & 0x7fffffff,
});
