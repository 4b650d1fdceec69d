import { join } from "node:path";
import { projectDataDirectory } from "../../core/home.ts";
import type { Machine } from "../../core/machine.ts";

/** Where this project's data lies, outside the project. */
export const projectDirectory = ({ home, root }: Machine): string => projectDataDirectory(home, root);

/** Clones of the git connector; each project has its own, as its lock is its own. */
export const clonesDirectory = (machine: Machine): string => join(projectDirectory(machine), "git");
