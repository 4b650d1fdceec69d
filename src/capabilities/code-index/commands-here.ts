import { statSync } from "node:fs";
import { resolve } from "node:path";
import { DomainError } from "../../core/errors.ts";
import type { Machine } from "../../core/machine.ts";
import type { Call } from "../../core/tool.ts";
import type { ScanFlags } from "./scan/discover.ts";
import type { CodeQuery, IndexedSymbol, IndexOutput, SearchOutput, StatusOutput } from "./schemas.ts";
import { redactTexts } from "./search/redact.ts";
import { symbolsNamed } from "./search/symbols.ts";
import type { CodeStore } from "./store/code-store.ts";
import { watchProject } from "./watch/watch-project.ts";

export interface IndexFlags extends ScanFlags {
  readonly force: boolean;
}
interface LoadedRoom {
  readonly machine: Machine;
  index(path: string, flags: IndexFlags, call: Call): Promise<IndexOutput>;
  search(path: string, asked: CodeQuery, call: Call): Promise<SearchOutput>;
  status(path: string): Promise<StatusOutput>;
  withIndex<T>(path: string, use: (code: CodeStore) => T): Promise<T>;
  /** Resolves when the better model has embedded everything. */
  embed(path: string, call: Call): Promise<void>;
}
interface HereFlags {
  readonly path: string;
  readonly tests: boolean;
  readonly vendor: boolean;
}
interface SearchHere {
  readonly path: string;
  readonly query: string;
  readonly mode: CodeQuery["mode"];
  readonly limit: number;
  readonly kind?: readonly string[] | undefined;
  readonly files?: string | undefined;
}

/** What the commands do: people give a path relative to the current directory, and read about commands, not tools. */
export function commandsHere({ machine, index, search, status, withIndex, embed }: LoadedRoom) {
  const here = (path: string) => {
    const directory = resolve(machine.root, path);
    if (!statSync(directory, { throwIfNoEntry: false })?.isFile()) return directory;
    throw new DomainError("invalid_input", `${path} is a file. Name the project's directory.`, {
      reason: "wrong_path",
      details: { param: "path" },
    });
  };
  const flagsOf = ({ tests: includeTests, vendor: includeVendor }: HereFlags) => ({
    includeTests,
    includeVendor,
  });
  return {
    index: async (
      input: HereFlags & { readonly force: boolean; readonly wait: boolean },
      call: Call,
    ): Promise<IndexOutput> => {
      const output = await index(here(input.path), { ...flagsOf(input), force: input.force }, call);
      if (input.wait) await embed(here(input.path), call);
      return output;
    },
    watch: (input: HereFlags, call: Call): Promise<{ runs: number }> => {
      const path = here(input.path);
      return watchProject(path, () => index(path, { ...flagsOf(input), force: false }, call), call);
    },
    search: ({ path, query, mode, limit, kind, files }: SearchHere, call: Call): Promise<SearchOutput> => {
      const filters = {
        ...(kind && { symbol_types: kind }),
        ...(files !== undefined && { file_pattern: files }),
      };
      return inCommands(() => search(here(path), { query, limit, mode, filters }, call));
    },
    status: async (path: string): Promise<StatusOutput> => {
      const told = await status(here(path));
      return { ...told, message: asCommand(told.message) };
    },
    symbols: (path: string, name: string | undefined, limit: number): Promise<IndexedSymbol[]> =>
      inCommands(() =>
        withIndex(here(path), (code) => symbolsNamed(code, name, limit)).then(symbolsWithoutSecrets),
      ),
  };
}

/** An error names the next step: for people a command, not a tool. */
async function inCommands<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    if (!(thrown instanceof DomainError) || thrown.code !== "not_indexed") throw thrown;
    throw new DomainError(thrown.code, asCommand(thrown.message), {
      reason: thrown.reason ?? thrown.code,
      cause: thrown,
    });
  }
}

const asCommand = (message: string) => message.replace("index_codebase", "contextful code index");

function symbolsWithoutSecrets(symbols: readonly IndexedSymbol[]): IndexedSymbol[] {
  const texts = redactTexts(symbols.flatMap(({ signature, doc }) => [signature, doc]));
  return symbols.map((symbol, place) => ({
    ...symbol,
    signature: texts[place * 2] ?? "",
    doc: texts[place * 2 + 1] ?? "",
  }));
}
