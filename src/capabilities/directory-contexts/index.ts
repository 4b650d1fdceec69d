import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import type { RoomOffer } from "../../core/room-offer.ts";
import { checkingCommands } from "./commands/checking.ts";
import { lookingCommands } from "./commands/looking.ts";
import { writingCommands } from "./commands/writing.ts";
import type { DirectorySummary } from "./read/on-the-way.ts";
import { contextTools } from "./tools.ts";

export type { DirectorySummary };

export interface DirectoryContexts extends RoomOffer {
  /** What is known of the directories on the way to these files, root first, with its freshness. */
  summariesOnTheWay(
    files: readonly string[],
    options: { readonly path?: string | undefined; readonly signal: AbortSignal },
  ): Promise<readonly DirectorySummary[]>;
}

/**
 * What each directory is for, in `.context.yaml` files beside the code: read, write, and check whether they still hold.
 * Reading follows the published contract; writing never replaces what a person wrote.
 */
export function openDirectoryContexts(machine: Machine): DirectoryContexts {
  const contexts = once(async () => (await import("./contexts.ts")).openContexts(machine));
  const work = once(async () =>
    (await import("./commands/work.ts")).openDirectoryWork(machine, await contexts()),
  );
  return {
    tools: [
      ...contextTools(contexts),
      ...writingCommands(work),
      ...checkingCommands(work),
      ...lookingCommands(work),
    ],
    async doctor() {
      const { findingsOf } = await import("./commands/doctor.ts");
      return findingsOf(await contexts(), machine.root);
    },
    async summariesOnTheWay(files, options) {
      const { summariesOnTheWay } = await import("./read/on-the-way.ts");
      return summariesOnTheWay(await contexts(), files, options);
    },
  };
}
