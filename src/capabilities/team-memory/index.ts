/**
 * Team memory: knowledge, conventions, decisions, skills and state, kept as plain files in the repository and shared
 * through git. It owns `.context-teleport/`. It promises that a write is complete or has no effect, that private entries
 * stay on this machine, and that files it cannot read are reported and never overwritten.
 */
import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import type { RoomOffer } from "../../core/room-offer.ts";
import type { PublicEntry } from "./entries/public-entries.ts";
import { memoryInstructions } from "./instructions/index.ts";
import { memoryPrompts } from "./mcp/prompts.ts";
import { memoryResources } from "./mcp/resources.ts";
import type { MemoryOperations } from "./team-memory.ts";
import type { LoadSync } from "./tools/schemas.ts";
import { teamMemoryTools } from "./tools.ts";

export type { PublicEntry };

export interface TeamMemory extends RoomOffer {
  /** The entries that the team shares, with text, origin and whether they are suspect; empty if there is no store. */
  publicEntries(): Promise<readonly PublicEntry[]>;
  /** For reading and writing the files of clients. Includes private entries, so that an import does not overwrite one. */
  forClients(): Promise<
    Pick<MemoryOperations, "listText" | "listDecisions" | "listSkills" | "addText" | "addSkill">
  >;
}

export function openTeamMemory(machine: Machine): TeamMemory {
  let isOpen = false;
  let isServer = false;
  const memory = once(async () => {
    isOpen = true;
    return (await import("./team-memory.ts")).openMemory(machine);
  });
  const sync: LoadSync = async (call) => (await import("./git-sync/team-sync.ts")).syncFor(machine, call);
  const sharingNotice = once(async () => (await import("./git-sync/team-sync.ts")).describeSharing(machine));
  return {
    tools: teamMemoryTools(memory, sync, sharingNotice),
    resources: memoryResources(memory),
    prompts: memoryPrompts(memory, async () =>
      (await sync({ actor: "prompt", signal: new AbortController().signal })).status(),
    ),
    instructions: () => memoryInstructions(machine.root),
    doctor: async () => (await import("./report/doctor.ts")).examine(await memory()),
    publicEntries: async () => (await memory()).publicEntries(),
    forClients: memory,
    startBackground: () => {
      isServer = true;
    },
    async close() {
      if (!isOpen) return;
      const opened = await memory();
      await opened.close();
      // A server pushes what it wrote when it ends; a command publishes only what it was asked to.
      const written = isServer ? opened.written() : undefined;
      if (!written?.size) return;
      await (await import("./git-sync/team-sync.ts")).pushMemoryOnShutdown(machine, written);
    },
  };
}
