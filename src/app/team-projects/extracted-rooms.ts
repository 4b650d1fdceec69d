import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { FollowedCode } from "../../capabilities/code-index/index.ts";
import { openContextCaches } from "../../capabilities/context-caches/index.ts";
import { openDirectoryContexts } from "../../capabilities/directory-contexts/index.ts";
import { openPublishedDocuments } from "../../capabilities/documents/index.ts";
import { openPacks } from "../../capabilities/packs/index.ts";
import { openTeamMemory } from "../../capabilities/team-memory/index.ts";
import { Connectors } from "../../core/config/connectors.ts";
import { DomainError } from "../../core/errors.ts";
import { allowRoots } from "../../core/files/allowed-roots.ts";
import type { Machine } from "../../core/machine.ts";
import type { Prompt, ResourceSource } from "../../core/room-offer.ts";
import type { Call } from "../../core/tool.ts";
import { type ExtractedTree, extractTree } from "../../core/tree-file/extract-tree.ts";
import { openTreeFile, treeFact } from "../../core/tree-file/tree-file.ts";
import { packSources } from "../pack-sources/index.ts";
import { roomTools, type ServedRooms } from "./served-tools.ts";

interface RoomCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly call: Call;
}
/** The fact of a tree file that has what the history of its directories tells. */
export const CONTENT_CHANGES = "content_changes";
const ContentChanges = z.record(z.string(), z.boolean()).catch({});

interface ExtractionOptions {
  /** Files that were published and verified. */
  readonly tree: string;
  readonly documents: string;
  /** Our own: the files are written below it. */
  readonly directory: string;
  /** The rooms of an earlier commit: equal files are not written again. */
  readonly before: ExtractedRooms | undefined;
}

/** The rooms of one published commit, on its files. Nothing in them is written but what a room remembers for itself. */
export class ExtractedRooms {
  readonly #machine: Machine;
  readonly #place: string;
  readonly tree: ExtractedTree;
  readonly #rooms: ServedRooms;

  private constructor(
    machine: Machine,
    place: string,
    { tree, rooms }: { readonly tree: ExtractedTree; readonly rooms: ServedRooms },
  ) {
    this.#machine = machine;
    this.#place = place;
    this.tree = tree;
    this.#rooms = rooms;
  }

  static async open(
    machine: Machine,
    { tree: file, documents, directory, before }: ExtractionOptions,
  ): Promise<ExtractedRooms> {
    const place = join(directory, randomUUID());
    const root = join(place, "tree");
    try {
      const tree = await extractTree(file, root, { before: before?.tree });
      const own = machineAt(machine, place, root);
      const rooms = {
        documents: openPublishedDocuments(own, documents),
        memory: openTeamMemory(own),
        directories: openDirectoryContexts(own, ContentChanges.parse(await readFact(file))),
        caches: openContextCaches(own),
      };
      return new ExtractedRooms(own, place, { tree, rooms });
    } catch (thrown) {
      await rm(place, { recursive: true, force: true });
      throw thrown;
    }
  }

  /** Packs stand on the code that this call uses, which may be opened and closed more often than the rooms. */
  run(code: FollowedCode, { name, input, call }: RoomCall): Promise<unknown> {
    const machine = this.#machine;
    const packs = openPacks(machine, async () =>
      packSources(machine, { ...this.#rooms, code: codeOf(code) }),
    );
    const tool = roomTools(this.#rooms, packs).find((known) => known.name === name);
    if (tool === undefined) throw new Error(`a published project has no tool ${name}`);
    return this.#told(code, () => tool.run(input, call));
  }

  readResource({ root }: FollowedCode, uri: string): ReturnType<ResourceSource["read"]> {
    return this.#told({ root }, async () => this.#rooms.memory.resources?.read(uri));
  }

  renderPrompt(
    { root }: FollowedCode,
    name: string,
    values: Parameters<Prompt["render"]>[0],
  ): Promise<string> {
    const prompt = this.#rooms.memory.prompts?.find((known) => known.name === name);
    return this.#told({ root }, async () => (await prompt?.render(values)) ?? "");
  }

  async #told<T>({ root }: Pick<FollowedCode, "root">, run: () => Promise<T>): Promise<T> {
    const place = this.#machine.root;
    try {
      return withoutPlace(await run(), place, root);
    } catch (thrown) {
      if (!(thrown instanceof DomainError)) throw thrown;
      const { code: kind, reason, details, next, cause } = thrown;
      const extras = { ...(reason !== undefined && { reason }), ...(next && { next }), details, cause };
      throw new DomainError(kind, thrown.message.replaceAll(place, root), extras);
    }
  }

  /** The memory is not closed: it would save how often it was read. */
  async close(): Promise<void> {
    await this.#rooms.documents.close?.();
    await rm(this.#place, { recursive: true, force: true });
  }
}

async function readFact(file: string): Promise<unknown> {
  using store = await openTreeFile(file, { readOnly: true });
  return treeFact(store, CONTENT_CHANGES);
}

const machineAt = (machine: Machine, place: string, root: string): Machine => ({
  ...machine,
  root,
  roots: allowRoots(root, [root]),
  home: join(place, "home"),
  cacheRoot: join(root, ".context-caches"),
  // The server's own sources are not the project's.
  config: async () => ({ ...(await machine.config()), connectors: Connectors.parse({}) }),
});

const codeOf = (code: FollowedCode) => ({
  waitForIndex: async () => {},
  searchCode: (_path: string, question: Parameters<FollowedCode["search"]>[0], signal: AbortSignal) =>
    code.search(question, signal),
  symbolsOfFiles: async (_path: string, files: readonly string[]) => code.symbolsOfFiles(files),
  neighbours: async (_path: string, question: Parameters<FollowedCode["neighbours"]>[0]) =>
    code.neighbours(question),
});

/** Where the files are on this machine is nobody's business. */
function withoutPlace<T>(output: T, place: string, shown: string): T {
  const text = JSON.stringify(output);
  const written = JSON.stringify(place).slice(1, -1);
  return text?.includes(written) ? JSON.parse(text.replaceAll(written, shown)) : output;
}
