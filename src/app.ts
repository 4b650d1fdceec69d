import { join, resolve } from "node:path";
import { openClients } from "./capabilities/clients/index.ts";
import { openCodeIndex } from "./capabilities/code-index/index.ts";
import { openContextCaches } from "./capabilities/context-caches/index.ts";
import { openDirectoryContexts } from "./capabilities/directory-contexts/index.ts";
import { openDocuments } from "./capabilities/documents/index.ts";
import { openEvaluation } from "./capabilities/evaluation/index.ts";
import { openPacks } from "./capabilities/packs/index.ts";
import { openTeam, type TeamRoom } from "./capabilities/team/index.ts";
import { openTeamMemory } from "./capabilities/team-memory/index.ts";
import { allowRoots } from "./core/files/allowed-roots.ts";
import { dataDirectory } from "./core/home.ts";
import { once } from "./core/lazy.ts";
import { type Logger, stderrLogger } from "./core/logger.ts";
import type { Machine } from "./core/machine.ts";
import type { App, RoomOffer } from "./core/room-offer.ts";
import { ROOMS, type RoomName } from "./surfaces/rooms.ts";

export interface MachineOptions {
  readonly root: string;
  readonly cacheRoot?: string | undefined;
  /** Directories tools may be pointed at; undefined: any the user can read. */
  readonly allowed?: readonly string[] | undefined;
  /** Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly logger?: Logger;
}

/** The real machine: real clock, real configuration, data outside the project. Nothing is read before it is needed. */
export function openMachine({
  root,
  cacheRoot,
  allowed,
  env = process.env,
  logger = stderrLogger(),
}: MachineOptions): Machine {
  const project = resolve(root);
  return {
    root: project,
    roots: allowRoots(project, allowed),
    home: dataDirectory(env),
    cacheRoot: cacheRoot === undefined ? join(project, ".context-caches") : resolve(cacheRoot),
    config: once(async () => {
      const { loadConfig } = await import("./core/config/load.ts");
      return loadConfig({ root: project, env });
    }),
    logger,
    now: () => new Date(),
    env,
  };
}

/** The composition root: opens the rooms, passes one room's functions to another, and lists what they offer. */
export function openApp(machine: Machine): App {
  const directories = openDirectoryContexts(machine);
  const caches = openContextCaches(machine);
  const memory = openTeamMemory(machine);
  const code = openCodeIndex(machine);
  const documents = openDocuments(machine, () => code.treeChanges());
  const packs = openPacks(machine, async () => {
    const { packSources } = await import("./app/pack-sources/index.ts");
    return packSources(machine, { directories, caches, memory, documents, code });
  });
  const offers: Readonly<Record<RoomName, RoomOffer>> = {
    "directory-contexts": directories,
    "context-caches": caches,
    "team-memory": memory,
    documents,
    "code-index": code,
    packs,
    evaluation: openEvaluation(machine, async () => {
      const { evaluatedRooms } = await import("./app/evaluated-rooms.ts");
      return evaluatedRooms(code, packs);
    }),
    clients: openClients(machine, memory.forClients, ROOMS),
    team: openTeamRoom(machine),
  };
  const rooms = ROOMS.map((name) => offers[name]);
  /** Ends background work. A client that leaves aborts no signal; it only closes the app. */
  const ending = new AbortController();
  return {
    machine,
    tools: rooms.flatMap((room) => room.tools),
    resources: rooms.flatMap((room) => room.resources ?? []),
    prompts: rooms.flatMap((room) => room.prompts ?? []),
    async instructions() {
      const texts = await Promise.all(rooms.map((room) => room.instructions?.()));
      return texts.filter((text) => text !== undefined).join("\n\n") || undefined;
    },
    doctor: async () => (await Promise.all(rooms.map((room) => room.doctor?.() ?? []))).flat(),
    startBackground: (signal) => {
      if (signal.aborted) return;
      signal.addEventListener("abort", () => ending.abort(), { once: true });
      for (const room of rooms) room.startBackground?.(ending.signal);
    },
    async close() {
      ending.abort();
      await Promise.all(rooms.map((room) => room.close?.()));
    },
  };
}

/** The team's server opens only the rooms it needs. */
export const openTeamRoom = (machine: Machine): TeamRoom =>
  openTeam(machine, () => loadProjectRooms(machine));

const loadProjectRooms = async (machine: Machine) =>
  (await import("./app/team-projects/index.ts")).projectRooms(machine);
