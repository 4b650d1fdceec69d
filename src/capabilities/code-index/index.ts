/**
 * Finds the symbols and chunks of a project's code, by name or by meaning. The room owns one database for each project, in
 * our data directory and never inside the project. It promises that a search sees one whole generation of the index, even
 * while another process is indexing, that files which leave the project leave the index, and that an answer from an index
 * that is behind says so.
 */
import { setTimeout as pause } from "node:timers/promises";
import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import type { Finding, RoomOffer } from "../../core/room-offer.ts";
import type { Call } from "../../core/tool.ts";
import { codeIndexCommands } from "./commands.ts";
import { fileListTool } from "./file-list.ts";
import type { NeighboursQuestion } from "./navigation/neighbours.ts";
import { navigationTools } from "./navigation/tools.ts";
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
import { codeIndexTools } from "./tools.ts";

export type { IndexedFile, IndexedSymbol, Neighbours, SearchHit, SymbolLocation };

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
  /** See `TreeChanges` of the documents room: it stands on the same watcher. */
  treeChanges(): Promise<number | undefined>;
  /** The process serves calls: the index of its project follows the disk from the first call that needs it. */
  startBackground(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

const BACKGROUND_AFTER_MS = 3_000;

export function openCodeIndex(machine: Machine): CodeIndex {
  let isLoaded = false;
  let isServing = false;
  const load = once(async () => {
    isLoaded = true;
    return (await import("./code-index.ts")).loadCodeIndex(machine, () => isServing);
  });
  return {
    tools: [
      ...codeIndexTools(load),
      ...navigationTools(load),
      ...codeIndexCommands(load),
      fileListTool(load),
    ],
    indexCode: async (path, call) =>
      (await load()).index(path, { force: false, includeTests: true, includeVendor: false }, call),
    waitForIndex: async (path, call) => (await load()).waitForIndex(path, call),
    searchCode: async (path, question, signal) => (await load()).hits(path, question, signal),
    symbolsOfFiles: async (path, files) => (await load()).symbolsOfFiles(path, files),
    neighbours: async (path, question) => (await load()).neighbours(path, question),
    doctor: async () => [finding(await (await load()).status(machine.root).catch(() => undefined))],
    treeChanges: async () => (isServing && isLoaded ? (await load()).treeChanges() : undefined),
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

function finding(status: StatusOutput | undefined): Finding {
  if (!status?.statistics)
    return { name: "code index", state: "note", detail: "not indexed (contextful code index .)" };
  const { total_files, total_symbols, last_indexed_at } = status.statistics;
  const detail = `${total_files} files, ${total_symbols} symbols, indexed ${last_indexed_at}`;
  return { name: "code index", state: "ok", detail };
}
