import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { FollowedCode } from "../../capabilities/code-index/index.ts";
import { DOCUMENTS_KIND } from "../../capabilities/documents/index.ts";
import { DomainError } from "../../core/errors.ts";
import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import { FollowedFiles } from "../../core/replica/followed-files.ts";
import type { Generation, Replica } from "../../core/replica/replica.ts";
import type { Call } from "../../core/tool.ts";
import { TREE_KIND } from "../../core/tree-file/tree-file.ts";
import { ExtractedRooms } from "./extracted-rooms.ts";
import { OpenHandles } from "./open-handles.ts";

interface FollowedRoomsOptions {
  readonly replica: Replica;
  readonly directory: string;
  /** For documents and for files each. */
  readonly maxBytes: number;
  readonly maxOpen: number;
}
/** What the rooms of a project were opened from. */
interface RoomFiles {
  readonly tree: Generation;
  readonly documents: Generation;
}

/** The files and documents of published projects that this process follows, and the rooms that it has opened on them. */
export class FollowedRooms {
  readonly #replica: Replica;
  readonly #trees: FollowedFiles;
  readonly #documents: FollowedFiles;
  readonly #opened: OpenHandles<RoomFiles, ExtractedRooms>;

  constructor(machine: Machine, { replica, directory, maxBytes, maxOpen }: FollowedRoomsOptions) {
    this.#replica = replica;
    const filesOf = (kind: string, folder: string) =>
      new FollowedFiles({ replica, kind, maxBytes, directory: join(directory, folder) });
    this.#trees = filesOf(TREE_KIND, "trees");
    this.#documents = filesOf(DOCUMENTS_KIND, "documents");
    const extracted = join(directory, "rooms");
    // What an earlier process left is not verified.
    const clear = once(() => rm(extracted, { recursive: true, force: true }));
    this.#opened = new OpenHandles({
      maxOpen,
      // A file that left the cache and came back is another object.
      isSame: (a, b) => a.tree === b.tree && a.documents === b.documents,
      open: async ({ tree, documents }, before) => {
        await clear();
        const files = { tree: this.#trees.fileOf(tree), documents: this.#documents.fileOf(documents) };
        return ExtractedRooms.open(machine, { ...files, directory: extracted, before });
      },
      close: (rooms) => rooms.close(),
    });
  }

  /** Runs with the rooms of the code's commit; if the store is away, with those that are here. */
  async use<T>(
    code: FollowedCode,
    answer: (rooms: ExtractedRooms) => Promise<T>,
    { signal, notice }: Partial<Pick<Call, "signal" | "notice">> = {},
  ): Promise<T> {
    const { project } = code.generation;
    await this.#bringTo(code.generation, signal);
    return this.#trees.use(project, (tree) =>
      this.#documents.use(project, (documents) => {
        notice?.(`Published at commit ${tree.commit.slice(0, 12)}, ${tree.published_at}.`);
        return this.#opened.use(project, { tree, documents }, answer);
      }),
    );
  }

  /** A project that somebody has asked about gets its new files before the next question. */
  async followUsed(code: Generation, signal?: AbortSignal): Promise<void> {
    if (this.#trees.current(code.project)) await this.#bringTo(code, signal);
  }

  close(): Promise<void> {
    return this.#opened.close();
  }

  async #bringTo({ project, commit }: Generation, signal: AbortSignal | undefined): Promise<void> {
    for (const [files, kind] of [
      [this.#trees, TREE_KIND],
      [this.#documents, DOCUMENTS_KIND],
    ] as const) {
      if (files.current(project)?.commit === commit) continue;
      try {
        const published = await this.#replica.registry.generations(project, kind);
        const wanted = published.find((generation) => generation.commit === commit);
        if (wanted === undefined) throw notPublished();
        await files.follow(wanted, signal);
      } catch (thrown) {
        signal?.throwIfAborted();
        if (files.current(project) === undefined) throw thrown;
      }
    }
  }
}

const notPublished = () =>
  new DomainError("not_found", "Only the code of this project is published. A worker publishes the rest.", {
    reason: "not_published",
  });
