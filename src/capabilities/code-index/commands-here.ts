import type { Machine } from "../../core/machine.ts";
import type { Call } from "../../core/tool.ts";
import { projectDirectory } from "./commands.ts";
import type { ScanFlags } from "./scan/discover.ts";
import type { IndexedSymbol, IndexOutput, SearchOutput } from "./schemas.ts";
import { type FoundText, findText, type TextQuery } from "./search/find-text.ts";
import { clipText } from "./search/search-hit.ts";
import { symbolsNamed } from "./search/symbols.ts";
import type { CodeStore } from "./store/code-store.ts";
import { watchProject } from "./watch/watch-project.ts";

export interface IndexFlags extends ScanFlags {
  readonly force: boolean;
}
interface LoadedRoom {
  readonly machine: Machine;
  index(path: string, flags: IndexFlags, call: Call): Promise<IndexOutput>;
  withIndex<T>(path: string, use: (code: CodeStore) => T | Promise<T>): Promise<T>;
  /** Resolves when the better model has embedded everything. */
  embed(path: string, call: Call): Promise<void>;
}
interface WatchFlags {
  readonly path: string;
  readonly tests: boolean;
  readonly vendor: boolean;
}

/** What only views ask for. */
export function commandsHere({ machine, index, withIndex, embed }: LoadedRoom) {
  return {
    /** `wait` also waits for the better model. */
    async index(
      path: string,
      { wait, ...flags }: IndexFlags & { readonly wait: boolean },
      call: Call,
    ): Promise<IndexOutput> {
      const output = await index(path, flags, call);
      if (wait) await embed(path, call);
      return output;
    },
    watch({ path, tests, vendor }: WatchFlags, call: Call): Promise<{ runs: number }> {
      const directory = projectDirectory(machine.root, path);
      const flags = { includeTests: tests, includeVendor: vendor, force: false };
      return watchProject(directory, () => index(directory, flags, call), call);
    },
    /** Lines that match, as grep finds them, by the symbol they stand in. */
    async matchLines(path: string, query: TextQuery, { signal }: Call): Promise<SearchOutput> {
      const started = performance.now();
      const found = await withIndex(path, (code) => findText(code, query, signal));
      return matchOutput(query.pattern, found, performance.now() - started);
    },
    symbols: (path: string, name: string | undefined, limit: number): Promise<IndexedSymbol[]> =>
      withIndex(projectDirectory(machine.root, path), (code) => symbolsNamed(code, name, limit)),
  };
}

function matchOutput(
  query: string,
  { hits, total, isComplete }: FoundText,
  milliseconds: number,
): SearchOutput {
  return {
    success: true,
    query,
    results: hits.map(({ hit, lines }) => ({
      ...hit,
      matches: lines.map(({ line, text }) => ({ line, text: clipText([text]) })),
    })),
    statistics: {
      total_results: hits.length,
      returned_results: hits.length,
      search_duration_ms: Math.round(milliseconds * 10) / 10,
      cache_hit: false,
      files_changed: 0,
    },
    message: `Found ${isComplete ? "" : "more than "}${total} lines in ${Math.round(milliseconds)}ms`,
  };
}
