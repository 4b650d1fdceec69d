/**
 * Finds the symbols and chunks of a project's code, by name or by meaning. The room owns one database for each project, in
 * our data directory and never inside the project. It promises that a search sees one whole generation of the index, even
 * while another process is indexing, that files which leave the project leave the index, and that an answer from an index
 * that is behind says so.
 */
import { setTimeout as pause } from "node:timers/promises";
import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import type { PublishedFile } from "../../core/replica/publish.ts";
import type { Replica } from "../../core/replica/replica.ts";
import type { Finding, RoomOffer } from "../../core/room-offer.ts";
import type { Call } from "../../core/tool.ts";
import { readingTools } from "./code-reader.ts";
import { watchTool } from "./commands.ts";
import type { NeighboursQuestion } from "./navigation/neighbours.ts";
import { impactTool } from "./navigation/tools.ts";
import type { FollowedCode } from "./published/followed-code.ts";
import type { CodePublication, PublishClone } from "./published/publish-code.ts";
import { publishTool } from "./published/publish-tool.ts";
import type { PublishedCode, PublishedCodeOptions } from "./published/published-code.ts";
import { kindOnDisk } from "./scan/path-kind.ts";
import type {
  CodeHits,
  CodeQuestion,
  IndexedFile,
  IndexedSymbol,
  IndexOutput,
  Neighbours,
  SearchHit,
  StatusOutput,
  SymbolLocation,
} from "./schemas.ts";
import { indexTool } from "./tools.ts";

export { CODE_KIND } from "./store/tables.ts";
export type {
  CodeHits,
  CodePublication,
  FollowedCode,
  IndexedFile,
  IndexedSymbol,
  Neighbours,
  PublishClone,
  PublishedCode,
  SearchHit,
  SymbolLocation,
};

/** The tools, and what app.ts passes to other rooms. `path` is a project's absolute directory. */
export interface CodeIndex extends RoomOffer {
  /** Brings the index of a project up to date. */
  indexCode(path: string, call: Call): Promise<IndexOutput>;
  /** A project without an index is indexed, and this waits for it; an agent only waits some seconds. */
  waitForIndex(path: string, call: Pick<Call, "signal" | "progress" | "caller">): Promise<void>;
  searchCode(path: string, query: CodeQuestion, signal: AbortSignal): Promise<CodeHits>;
  /** One entry for each file, in the order of `files`. */
  symbolsOfFiles(path: string, files: readonly string[]): Promise<readonly IndexedFile[]>;
  /** One entry for each location, in their order. */
  neighbours(path: string, question: NeighboursQuestion): Promise<readonly Neighbours[]>;
  /** Brings the index of a clean work tree up to date and publishes it as the index of its commit. */
  publishCode(
    path: string,
    replica: Replica,
    publication: CodePublication,
    call: Call,
  ): Promise<PublishedFile>;
  /** See `TreeChanges` of the documents room: it stands on the same watcher. */
  treeChanges(): Promise<number | undefined>;
  /** The process serves calls: the index of its project follows the disk from the first call that needs it. */
  startBackground(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

const BACKGROUND_AFTER_MS = 3_000;

interface CodeIndexSettings {
  /** Called if a clone is published to a team's server; without it, only its code is. */
  readonly publishClone?: PublishClone;
  /** How often the files of the project were changed, if only this process changes them: then nobody has to look. */
  readonly writes?: (() => number) | undefined;
}

export function openCodeIndex(machine: Machine, { publishClone, writes }: CodeIndexSettings = {}): CodeIndex {
  let isLoaded = false;
  let isServing = false;
  const load = once(async () => {
    isLoaded = true;
    return (await import("./code-index.ts")).loadCodeIndex(machine, {
      isServing: () => isServing,
      publishClone,
      writes,
    });
  });
  return {
    tools: [
      indexTool(load),
      ...readingTools(load, kindOnDisk),
      impactTool(load),
      watchTool(load),
      publishTool(load),
    ],
    indexCode: async (path, call) =>
      (await load()).index(path, { force: false, includeTests: true, includeVendor: false }, call),
    waitForIndex: async (path, call) => (await load()).waitForIndex(path, call),
    searchCode: async (path, question, signal) => (await load()).hits(path, question, signal),
    symbolsOfFiles: async (path, files) => (await load()).symbolsOfFiles(path, files),
    neighbours: async (path, question) => (await load()).neighbours(path, question),
    publishCode: async (path, replica, publication, call) =>
      (await (await load()).publishing()).publish(path, replica, publication, call),
    doctor: async () => [finding(await (await load()).status(machine.root).catch(() => undefined))],
    treeChanges: async () => writes?.() ?? (isServing && isLoaded ? (await load()).treeChanges() : undefined),
    async startBackground(signal) {
      isServing = true;
      // Background work must not delay the first calls of a session.
      await pause(BACKGROUND_AFTER_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await (await load()).runInBackground(signal);
    },
    close: async () => {
      if (isLoaded) await (await load()).close();
    },
  };
}

/** Published indexes of many projects. Nothing is read or fetched before the first call. */
export function openPublishedCode(machine: Machine, options: PublishedCodeOptions): PublishedCode {
  let isLoaded = false;
  const load = once(async () => {
    isLoaded = true;
    return (await import("./published/published-code.ts")).loadPublishedCode(machine, options);
  });
  return {
    use: async (project, run, signal) => (await load()).use(project, run, signal),
    follow: async (generation, signal) => (await load()).follow(generation, signal),
    held: async () => (await load()).held(),
    async [Symbol.asyncDispose]() {
      if (isLoaded) await (await load())[Symbol.asyncDispose]();
    },
  };
}

function finding(status: StatusOutput | undefined): Finding {
  if (!status?.statistics)
    return { name: "code index", state: "note", detail: "not indexed (contextful code index .)" };
  const { total_files, total_symbols, last_indexed_at } = status.statistics;
  const detail = `${total_files} files, ${total_symbols} symbols, indexed ${last_indexed_at}`;
  return { name: "code index", state: "ok", detail };
}
