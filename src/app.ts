import { openClients } from "./capabilities/clients/index.ts";
import { openCodeIndex } from "./capabilities/code-index/index.ts";
import { openContextCaches } from "./capabilities/context-caches/index.ts";
import { openDirectoryContexts } from "./capabilities/directory-contexts/index.ts";
import { openDocuments } from "./capabilities/documents/index.ts";
import { openTeamMemory } from "./capabilities/team-memory/index.ts";
import type { Machine } from "./core/machine.ts";
import type { Tool } from "./core/tool.ts";

/** The composition root: opens the rooms and lists what they offer. */
export function openApp(machine: Machine): { readonly tools: readonly Tool[] } {
  const rooms = [
    openDirectoryContexts(machine),
    openContextCaches(machine),
    openTeamMemory(machine),
    openDocuments(machine),
    openCodeIndex(machine),
    openClients(machine),
  ];
  return { tools: rooms.flatMap((room) => room.tools) };
}
