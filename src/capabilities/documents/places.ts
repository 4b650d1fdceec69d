import { join } from "node:path";
import { sha256 } from "../../core/hash.ts";
import type { Machine } from "../../core/machine.ts";

/** The data directory of this project, outside the project. */
export const projectDirectory = ({ home, root }: Machine): string =>
  join(home, "projects", sha256(root).slice(0, 16));

/** Clones of the git connector. Each project has its own clones, because each has its own lock. */
export const clonesDirectory = (machine: Machine): string => join(projectDirectory(machine), "git");
