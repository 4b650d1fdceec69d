import { CODE_KIND, openCodeIndex } from "../../capabilities/code-index/index.ts";
import type { ProjectRooms } from "../../capabilities/team/index.ts";
import type { Machine } from "../../core/machine.ts";
import { openFollowedProjects } from "./followed-projects.ts";
import { openPublisher } from "./publish-project.ts";
import { codeTools, memoryOffers, roomTemplates } from "./served-tools.ts";

/** Connects the rooms of a project to the team's room: a worker publishes them, a server follows them. */
export const projectRooms = (machine: Machine): ProjectRooms => ({
  tools: [...codeTools(openCodeIndex(machine).tools), ...roomTemplates(machine)],
  ...memoryOffers(machine),
  kind: CODE_KIND,
  publisher: (url) => openPublisher(machine, url),
  open: (options) => openFollowedProjects(machine, options),
});
