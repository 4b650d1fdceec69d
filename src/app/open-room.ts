import type { Machine } from "../core/machine.ts";
import type { App, RoomOffer } from "../core/room-offer.ts";
import type { RoomName } from "../surfaces/rooms.ts";
import { appOf } from "./app-of.ts";

/** Rooms that work without the others. A command of such a room loads and opens nothing else. */
const ALONE: Readonly<Partial<Record<RoomName, (machine: Machine) => Promise<RoomOffer>>>> = {
  "directory-contexts": async (machine) =>
    (await import("../capabilities/directory-contexts/index.ts")).openDirectoryContexts(machine),
  "context-caches": async (machine) =>
    (await import("../capabilities/context-caches/index.ts")).openContextCaches(machine),
  "team-memory": async (machine) =>
    (await import("../capabilities/team-memory/index.ts")).openTeamMemory(machine),
  documents: async (machine) => (await import("../capabilities/documents/index.ts")).openDocuments(machine),
  "code-index": async (machine) => (await import("./code-room.ts")).openCodeRoom(machine),
};

/** One room as an app; `undefined` if it works only together with others. */
export async function openRoomAlone(machine: Machine, room: RoomName): Promise<App | undefined> {
  const open = ALONE[room];
  return open && appOf(machine, [await open(machine)]);
}
