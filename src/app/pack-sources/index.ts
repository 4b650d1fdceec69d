import type { CodeIndex } from "../../capabilities/code-index/index.ts";
import type { DirectoryContexts } from "../../capabilities/directory-contexts/index.ts";
import type { DocumentsDoor } from "../../capabilities/documents/index.ts";
import type { PackSource } from "../../capabilities/packs/index.ts";
import type { TeamMemory } from "../../capabilities/team-memory/index.ts";
import type { Machine } from "../../core/machine.ts";
import type { RoomOffer } from "../../core/room-offer.ts";
import { cachesSource } from "./caches.ts";
import { codeSource } from "./code.ts";
import { directoriesSource } from "./directories.ts";
import { documentsSource } from "./documents.ts";
import { memorySource } from "./memory.ts";
import { rankerOf } from "./ranker.ts";

export interface PackRooms {
  readonly directories: DirectoryContexts;
  readonly caches: RoomOffer;
  readonly memory: TeamMemory;
  readonly documents: DocumentsDoor;
  readonly code: CodeIndex;
}

/** The rooms as packs see them: where two rooms must work together, they meet here. */
export function packSources(
  machine: Machine,
  { directories, caches, memory, documents, code }: PackRooms,
): readonly PackSource[] {
  const ranker = rankerOf(machine);
  const { source, found } = codeSource(code);
  return [
    ofServedProject(machine, memorySource(memory, found, ranker)),
    directoriesSource(directories, found, ranker),
    source,
    ofServedProject(machine, documentsSource(documents, { machine, foundCode: found, ranker })),
    ofServedProject(machine, cachesSource(caches.tools)),
  ];
}

/** Some rooms know the served project alone: what they have must not be quoted as another one's. */
const ofServedProject = (machine: Machine, source: PackSource): PackSource => ({
  room: source.room,
  async gather(request, signal) {
    if (request.root === (await machine.roots.directory(undefined))) return source.gather(request, signal);
    const empty = {
      reason: "of the served project only",
      command: 'contextful pack "TASK" --root DIRECTORY',
    };
    return { items: [], state: "", empty };
  },
});
