import type { Machine } from "../../core/machine.ts";
import type { Call } from "../../core/tool.ts";
import type { CodeStore } from "./code-store.ts";
import { projectDirectory } from "./commands.ts";
import type { Flags } from "./discover.ts";
import { keepUpToDate } from "./keep-up-to-date.ts";
import type { IndexOutput } from "./schemas.ts";
import { type PlacedSymbol, symbolsNamed } from "./symbols-of-project.ts";
import { withoutSecrets } from "./without-secrets.ts";

export interface IndexFlags extends Flags {
  readonly force: boolean;
}
interface Room {
  readonly machine: Machine;
  index(path: string, flags: IndexFlags, call: Call): Promise<IndexOutput>;
  withIndex<T>(path: string, use: (code: CodeStore) => T): Promise<T>;
  /** Resolves when the better model has embedded everything. */
  embed(path: string, call: Call): Promise<void>;
}
interface WatchFlags {
  readonly path: string;
  readonly tests: boolean;
  readonly vendor: boolean;
}

/** What only people do; they give a path relative to the project. */
export function commandsHere({ machine, index, withIndex, embed }: Room) {
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
      return keepUpToDate(directory, () => index(directory, flags, call), call);
    },
    symbols: (path: string, name: string | undefined, limit: number): Promise<PlacedSymbol[]> =>
      withIndex(projectDirectory(machine.root, path), (code) => symbolsNamed(code, name, limit)).then(
        symbolsWithoutSecrets,
      ),
  };
}

function symbolsWithoutSecrets(symbols: readonly PlacedSymbol[]): PlacedSymbol[] {
  const texts = withoutSecrets(symbols.flatMap(({ signature, doc }) => [signature, doc]));
  return symbols.map((symbol, place) => ({
    ...symbol,
    signature: texts[place * 2] ?? "",
    doc: texts[place * 2 + 1] ?? "",
  }));
}
