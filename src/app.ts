import { appOf } from "./app/app-of.ts";
import { openCodeRoom } from "./app/code-room.ts";
import { openMachine } from "./app/open-machine.ts";
import { openClients } from "./capabilities/clients/index.ts";
import { openContextCaches } from "./capabilities/context-caches/index.ts";
import { openDirectoryContexts } from "./capabilities/directory-contexts/index.ts";
import { openDocuments } from "./capabilities/documents/index.ts";
import { openEvaluation } from "./capabilities/evaluation/index.ts";
import { openPacks } from "./capabilities/packs/index.ts";
import { openTeam, type TeamRoom } from "./capabilities/team/index.ts";
import { openTeamMemory } from "./capabilities/team-memory/index.ts";
import type { Machine } from "./core/machine.ts";
import type { App, RoomOffer } from "./core/room-offer.ts";
import { ROOMS, type RoomName } from "./surfaces/rooms.ts";

export { openMachine } from "./app/open-machine.ts";

/** The composition root: opens the rooms, passes one room's functions to another, and lists what they offer. */
export function openApp(machine: Machine): App {
  const rooms = openProjectRooms(machine);
  const offers: Readonly<Record<RoomName, RoomOffer>> = {
    ...rooms,
    evaluation: openEvaluation(machine, async () => {
      const { evaluatedProject } = await import("./app/evaluated-project.ts");
      return (path) => {
        let writes = 0;
        const copied = openProjectRooms(machineOf(path, machine), () => writes);
        const { close } = appOf(machine, Object.values(copied));
        const wasWritten = () => void writes++;
        return evaluatedProject({ path, code: copied["code-index"], packs: copied.packs, wasWritten, close });
      };
    }),
    clients: openClients(machine, rooms["team-memory"].forClients, ROOMS),
    team: openTeamRoom(machine),
  };
  return appOf(
    machine,
    ROOMS.map((name) => offers[name]),
  );
}

/** The rooms that hold a project's context, and the packs made from them. For `writes` see the code index. */
function openProjectRooms(machine: Machine, writes?: () => number) {
  const directories = openDirectoryContexts(machine);
  const caches = openContextCaches(machine);
  const memory = openTeamMemory(machine);
  const code = openCodeRoom(machine, writes);
  const documents = openDocuments(machine, () => code.treeChanges());
  const packs = openPacks(machine, async () => {
    const { packSources } = await import("./app/pack-sources/index.ts");
    return packSources(machine, { directories, caches, memory, documents, code });
  });
  return {
    "directory-contexts": directories,
    "context-caches": caches,
    "team-memory": memory,
    documents,
    "code-index": code,
    packs,
  };
}

/** This machine, with another directory as the served project. */
const machineOf = (root: string, { home, env, logger, now }: Machine): Machine => ({
  ...openMachine({ root, env, logger }),
  home,
  now,
});

/** The team's server opens only the rooms it needs. */
export const openTeamRoom = (machine: Machine): TeamRoom =>
  openTeam(machine, () => loadProjectRooms(machine));

const loadProjectRooms = async (machine: Machine) =>
  (await import("./app/team-projects/index.ts")).projectRooms(machine);
