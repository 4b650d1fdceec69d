/**
 * Symbols and chunks of a project's code, found by name or by meaning. Owns one database for each project under our
 * data directory, never anything inside the project; promises that a search sees one whole generation of the index,
 * whoever is indexing at the time, and that what left the project leaves the index.
 */
import { setTimeout as pause } from "node:timers/promises";
import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import type { Finding, RoomOffer } from "../../core/room-offer.ts";
import { codeIndexCommands } from "./commands.ts";
import type { SearchHit, SearchOutput, StatusOutput } from "./schemas.ts";
import type { Neighbours } from "./search/neighbours.ts";
import type { CodeQuery } from "./search/search-code.ts";
import type { PlacedSymbol } from "./search/symbols.ts";
import { codeIndexTools } from "./tools.ts";

export type { CodeQuery, Neighbours, PlacedSymbol, SearchHit, SearchOutput, StatusOutput };

/** Beside the tools, what other rooms may be handed by app.ts; `path` is a project's absolute directory. */
export interface CodeIndex extends RoomOffer {
  searchCode(path: string, query: CodeQuestion, signal: AbortSignal): Promise<CodeHits>;
  /** What is indexed of each file, in the order of the files. */
  symbolsOfFiles(path: string, files: readonly string[]): Promise<readonly IndexedFile[]>;
  neighbours(path: string, place: SymbolPlace, signal: AbortSignal): Promise<Neighbours>;
  status(path: string): Promise<StatusOutput>;
  /** Resolves when the better model has embedded the served project, or `signal` aborts. */
  startBackground(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
/** Hybrid and without filters, where nothing is said. */
export type CodeQuestion = Pick<CodeQuery, "query" | "limit"> & Partial<CodeQuery>;
export interface CodeHits {
  readonly hits: readonly SearchHit[];
  /** The same as long as the index is. */
  readonly state: string;
}
export interface IndexedFile {
  /** In the order of their lines; none where the file is not indexed. */
  readonly symbols: readonly PlacedSymbol[];
  /** Whether it is still what was indexed. */
  readonly fresh: boolean;
}
export interface SymbolPlace {
  readonly path: string;
  readonly name: string;
}

const BACKGROUND_AFTER_MS = 3_000;

export function openCodeIndex(machine: Machine): CodeIndex {
  let isOpen = false;
  const behaviour = once(async () => {
    isOpen = true;
    return (await import("./code-index.ts")).openBehaviour(machine);
  });
  return {
    tools: [...codeIndexTools(behaviour), ...codeIndexCommands(behaviour)],
    searchCode: async (path, question, signal) => (await behaviour()).hits(path, question, signal),
    symbolsOfFiles: async (path, files) => (await behaviour()).symbolsOfFiles(path, files),
    neighbours: async (path, place, signal) => (await behaviour()).neighbours(path, place, signal),
    status: async (path) => (await behaviour()).status(path),
    doctor: async () => [finding(await (await behaviour()).status(machine.root).catch(() => undefined))],
    async startBackground(signal) {
      // The first calls of a session must not wait for what no call needs.
      await pause(BACKGROUND_AFTER_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await (await behaviour()).embedServed(signal);
    },
    close: async () => {
      if (isOpen) await (await behaviour()).close();
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
