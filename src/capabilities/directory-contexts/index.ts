import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import type { RoomOffer } from "../../core/room-offer.ts";
import { checkingCommands } from "./commands/checking.ts";
import { lookingCommands } from "./commands/looking.ts";
import { writingCommands } from "./commands/writing.ts";
import type { Contexts, DirectorySummary } from "./contexts.ts";
import { contextTools } from "./tools.ts";

export type { DirectorySummary };

export interface DirectoryContexts extends RoomOffer, Pick<Contexts, "summariesOnTheWay"> {}

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
    summariesOnTheWay: async (files, options) => (await contexts()).summariesOnTheWay(files, options),
  };
}
