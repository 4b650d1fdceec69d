import { z } from "zod";
import { openContextCaches } from "../../capabilities/context-caches/index.ts";
import { openDirectoryContexts } from "../../capabilities/directory-contexts/index.ts";
import { type DocumentsDoor, openDocuments } from "../../capabilities/documents/index.ts";
import { openPacks, type Packs } from "../../capabilities/packs/index.ts";
import type { ProjectRooms } from "../../capabilities/team/index.ts";
import { openTeamMemory } from "../../capabilities/team-memory/index.ts";
import { DomainError } from "../../core/errors.ts";
import type { Machine } from "../../core/machine.ts";
import type { Tool } from "../../core/tool.ts";

/** Fields that name another directory, need git, or need what this machine answered before. */
const OF_THE_MACHINE: ReadonlySet<string> = new Set(["path", "diff", "except"]);

/** Commands for people that the page of a team's server needs. They only read. */
const FOR_THE_PAGE: ReadonlySet<string> = new Set([
  "documents_stats",
  "memory_decision_list",
  "memory_knowledge_list",
  "memory_skill_list",
  "memory_skill_stats",
]);

/** The tools of the code index that need nothing but the index. */
export const codeTools = (tools: readonly Tool[]): readonly Tool[] =>
  tools.filter(({ effect, audience }) => effect === "reads" && audience !== "people");

/** The rooms beside the code index that a server opens for a project. */
export interface ServedRooms {
  readonly documents: DocumentsDoor;
  readonly memory: ReturnType<typeof openTeamMemory>;
  readonly directories: ReturnType<typeof openDirectoryContexts>;
  readonly caches: ReturnType<typeof openContextCaches>;
}

/** Their tools; of those for people only what the page needs. What writes is refused: a project is written in its repository. */
export const roomTools = ({ documents, memory, directories }: ServedRooms, packs: Packs): readonly Tool[] =>
  [...packs.tools, ...memory.tools, ...directories.tools, ...documents.tools]
    .filter(({ audience, name }) => audience !== "people" || FOR_THE_PAGE.has(name))
    .map((tool) => (tool.effect === "reads" ? asServed(tool) : refused(tool)));

/** The same tools for their names and schemas. They are never run. */
export function roomTemplates(machine: Machine): readonly Tool[] {
  const rooms = {
    documents: openDocuments(machine),
    memory: openTeamMemory(machine),
    directories: openDirectoryContexts(machine),
    caches: openContextCaches(machine),
  };
  return roomTools(
    rooms,
    openPacks(machine, () => Promise.reject(new Error("a template is not run"))),
  );
}

/** What MCP offers of team memory beside tools. A server has no merge to settle. */
export function memoryOffers(machine: Machine): Pick<ProjectRooms, "resources" | "prompts"> {
  const { resources = { templates: [], list: async () => [], read: async () => undefined }, prompts = [] } =
    openTeamMemory(machine);
  return { resources, prompts: prompts.filter(({ name }) => name !== "context_resolve_conflicts") };
}

function asServed(tool: Tool): Tool {
  const fields = Object.entries(tool.input.shape).filter(([name]) => !OF_THE_MACHINE.has(name));
  return { ...tool, input: z.object(Object.fromEntries(fields)) };
}

/** Without its agent view: agents are not offered what is refused. */
function refused({ agentView: _view, ...tool }: Tool): Tool {
  return {
    ...tool,
    run: () => {
      throw new DomainError(
        "conflict",
        "A team's server only reads. Write in a clone of the repository and push: the next publication has it.",
        { reason: "read_only" },
      );
    },
  };
}
