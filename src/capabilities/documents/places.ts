import { join } from "node:path";
import { projectDataDirectory } from "../../core/home.ts";
import type { Machine } from "../../core/machine.ts";
import { databaseDirectory } from "../../core/store/sqlite-driver.ts";

/** The data directory of this project, outside the project. */
export const projectDirectory = ({ home, root }: Machine): string =>
  projectDataDirectory(databaseDirectory(home), root);

/** Clones of the git connector. Each project has its own clones, because each has its own lock. */
export const clonesDirectory = (machine: Machine): string => join(projectDirectory(machine), "git");
