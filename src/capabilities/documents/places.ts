import { join } from "node:path";
import { sha256 } from "../../core/hash.ts";
import type { Machine } from "../../core/machine.ts";

/** Where this project's data lies, outside the project. */
export const projectDirectory = ({ home, root }: Machine): string =>
  join(home, "projects", sha256(root).slice(0, 16));

/** Clones of the git connector; each project has its own, as its lock is its own. */
export const clonesDirectory = (machine: Machine): string => join(projectDirectory(machine), "git");
