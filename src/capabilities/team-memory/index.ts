/**
 * Team memory: knowledge, conventions, decisions, skills and state, kept as plain files in the repository and shared
 * through git. It owns `.context-teleport/`. It promises that a write is whole or not at all, that what is private
 * stays on this machine, and that what it cannot read it reports and never overwrites.
 */
import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import type { RoomOffer } from "../../core/room-offer.ts";
import type { Call } from "../../core/tool.ts";
import type { PublicEntry } from "./entries/public-entries.ts";
import { memoryPrompts } from "./mcp/prompts.ts";
import { memoryResources } from "./mcp/resources.ts";
import type { Memory } from "./team-memory.ts";
import { conflictTools } from "./tools/conflict-tools.ts";
import { syncCommands } from "./tools/people-sync-tools.ts";
import { syncTools } from "./tools/sync-tools.ts";
import { teamMemoryTools } from "./tools.ts";

export type { PublicEntry };

export interface TeamMemory extends RoomOffer {
  /** The entries the team shares, with text, origin and whether they are suspect; none where there is no store. */
  publicEntries(): Promise<readonly PublicEntry[]>;
  /** What files of clients are written from and read into; private entries too, so that no import overwrites one. */
  forClients(): Promise<Pick<Memory, "listText" | "listDecisions" | "listSkills" | "addText" | "addSkill">>;
}

export function openTeamMemory(machine: Machine): TeamMemory {
  let isOpen = false;
  let isServed = false;
  const memory = once(async () => {
    isOpen = true;
    return (await import("./team-memory.ts")).openMemory(machine);
  });
  const sync = async (call: Pick<Call, "actor" | "signal">) =>
    (await import("./git-sync/open-sync.ts")).syncFor(machine, call);
  return {
    tools: [...teamMemoryTools(memory), ...syncTools(sync), ...conflictTools(sync), ...syncCommands(sync)],
    resources: memoryResources(memory),
    prompts: memoryPrompts(memory, async () =>
      (await sync({ actor: "prompt", signal: new AbortController().signal })).status(),
    ),
    instructions: async () => (await import("./mcp/instructions.ts")).memoryInstructions(machine.root),
    doctor: async () => (await import("./mcp/doctor.ts")).examine(await memory()),
    publicEntries: async () => (await memory()).publicEntries(),
    forClients: memory,
    startBackground: () => {
      isServed = true;
    },
    async close() {
      if (isOpen) await (await memory()).close();
      // A command that is done must not publish what it was not asked to; a server that ends does.
      if (isServed) await (await import("./git-sync/open-sync.ts")).partFrom(machine);
    },
  };
}
