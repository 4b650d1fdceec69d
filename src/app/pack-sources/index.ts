import type { ContextCachesDoor } from "../../capabilities/context-caches/index.ts";
import type { DirectoryContexts } from "../../capabilities/directory-contexts/index.ts";
import type { DocumentsDoor } from "../../capabilities/documents/index.ts";
import type { Gathered, OpenPackSources } from "../../capabilities/packs/index.ts";
import type { TeamMemory } from "../../capabilities/team-memory/index.ts";
import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import { gatherCaches } from "./caches.ts";
import { gatherCode } from "./code.ts";
import { gatherDirectories } from "./directories.ts";
import { gatherDocuments } from "./documents.ts";
import { gatherMemory } from "./memory.ts";
import type { PackedCode } from "./pack-task.ts";
import { loadRanker } from "./ranker.ts";

interface PackRooms {
  readonly directories: DirectoryContexts;
  readonly caches: ContextCachesDoor;
  readonly memory: TeamMemory;
  readonly documents: DocumentsDoor;
  readonly code: PackedCode;
}

/**
 * Connects the rooms to packs. Code is gathered first, once per pack: memory, directories and documents get the result,
 * because what the task leads to in the code often says more than the words of the task.
 */
export function packSources(
  machine: Machine,
  { directories, caches, memory, documents, code }: PackRooms,
): OpenPackSources {
  const ranker = loadRanker(machine);
  return (request, call) => {
    const { signal } = call;
    const findCode = once(async () => {
      await code.waitForIndex(request.root, call);
      return gatherCode(code, request, signal);
    });
    const gatherFreshDocuments = async (): Promise<Gathered> => {
      const isFresh = await documents.bringUpToDate(call);
      const gathered = await gatherDocuments(documents, machine, task);
      return isFresh ? gathered : { empty: DOCUMENTS_BEHIND, ...gathered };
    };
    const task = { request, findCode, ranker, signal };
    const ifServed = (gather: () => Promise<Gathered>) => async () =>
      request.root === (await machine.roots.directory(undefined)) ? gather() : NOT_SERVED;
    return [
      { room: "team-memory", gather: ifServed(() => gatherMemory(memory, task)) },
      { room: "directory-contexts", gather: () => gatherDirectories(directories, task) },
      { room: "code-index", gather: findCode },
      { room: "documents", gather: ifServed(() => gatherFreshDocuments()) },
      { room: "context-caches", gather: ifServed(() => gatherCaches(caches, request.task, signal)) },
    ];
  };
}

const DOCUMENTS_BEHIND = { reason: "files have changed that are not read yet" };

/** Some rooms only have the served project; a pack for another project must not quote them. */
const NOT_SERVED: Gathered = {
  items: [],
  state: "",
  empty: { reason: "of the served project only", command: 'contextful pack "TASK" --root DIRECTORY' },
};
