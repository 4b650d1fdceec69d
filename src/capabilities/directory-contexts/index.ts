import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import type { RoomOffer } from "../../core/room-offer.ts";
import { readingCommands } from "./commands/reading.ts";
import { writingCommands } from "./commands/writing.ts";
import type { Contexts, DirectorySummary } from "./contexts.ts";
import { contextTools } from "./tools.ts";

export type { DirectorySummary };

export interface DirectoryContexts extends RoomOffer, Pick<Contexts, "summariesAbove"> {}

/**
 * What each directory is for, in `.context.yaml` files beside the code: read, write, and check whether they are still true.
 * Reading follows the published contract; writing never replaces what a person wrote.
 */
export function openDirectoryContexts(
  machine: Machine,
  /** Instead of git, if the project has no history here: whether the content of a scope has changed. */
  contentChanges?: Readonly<Record<string, boolean>>,
): DirectoryContexts {
  const known = contentChanges && (async () => new Map(Object.entries(contentChanges)));
  const contexts = once(async () => (await import("./contexts.ts")).openContexts(machine, known));
  const actions = once(async () =>
    (await import("./commands/actions.ts")).openDirectoryActions(machine, await contexts()),
  );
  return {
    tools: [...contextTools(contexts), ...writingCommands(actions), ...readingCommands(actions)],
    async doctor() {
      const { doctorFindings } = await import("./freshness/status.ts");
      return doctorFindings(await contexts(), machine.root);
    },
    summariesAbove: async (files, options) => (await contexts()).summariesAbove(files, options),
  };
}
