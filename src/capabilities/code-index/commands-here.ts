import type { Machine } from "../../core/machine.ts";
import { embedByChoice } from "../../core/search/embedders/embed-by-choice.ts";
import type { Embeddings } from "../../core/search/index.ts";
import type { Call } from "../../core/tool.ts";
import { projectDirectory } from "./commands.ts";
import type { ScanFlags } from "./scan/discover.ts";
import type { IndexOutput } from "./schemas.ts";
import { watchProject } from "./watch/watch-project.ts";

export interface IndexFlags extends ScanFlags {
  readonly force: boolean;
}
interface LoadedRoom {
  readonly machine: Machine;
  index(path: string, flags: IndexFlags, call: Call): Promise<IndexOutput>;
  readonly embeddings: Embeddings;
  /** Resolves when the better model has embedded everything. */
  embed(path: string, call: Call): Promise<void>;
}
interface WatchFlags {
  readonly path: string;
  readonly tests: boolean;
  readonly vendor: boolean;
}

/** What only views ask for. */
export function commandsHere({ machine, index, embeddings, embed }: LoadedRoom) {
  return {
    /** `wait` also waits for the better model. For a model that the user chose, a person waits in any case. */
    async index(
      path: string,
      { wait, ...flags }: IndexFlags & { readonly wait: boolean },
      call: Call,
    ): Promise<IndexOutput> {
      const output = await index(path, flags, call);
      const isChosen = call.caller === "person" && embeddings.chosenId !== undefined;
      if (wait && !isChosen) await embed(path, call);
      const embedding = isChosen ? await embedByChoice(embeddings, () => embed(path, call)) : undefined;
      return { ...output, ...(embedding && { embedding }) };
    },
    watch({ path, tests, vendor }: WatchFlags, call: Call): Promise<{ runs: number }> {
      const directory = projectDirectory(machine.root, path);
      const flags = { includeTests: tests, includeVendor: vendor, force: false };
      return watchProject(directory, () => index(directory, flags, call), call);
    },
  };
}
