import { isAbsolute } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import { sha256 } from "../../../core/hash.ts";
import { projectDataDirectory } from "../../../core/home.ts";
import type { Machine } from "../../../core/machine.ts";
import { databaseDirectory } from "../../../core/store/sqlite-driver.ts";

/** A directory whose code is indexed. It is identified by its real path: a trailing slash or a link is the same project. */
export interface CodeProject {
  readonly root: string;
  /** Our data directory for this project. */
  readonly directory: string;
  readonly id: number;
}

/** The contract requires an absolute path of an existing directory. */
export async function openProject(machine: Machine, path: string): Promise<CodeProject> {
  if (!isAbsolute(path)) throw wrongPath("Path must be absolute");
  const root = await machine.roots.directory(path).catch((thrown: unknown) => {
    if (thrown instanceof DomainError && thrown.code === "not_found") {
      throw wrongPath("Path does not exist or is not accessible");
    }
    throw thrown;
  });
  return projectAt(machine, root);
}

export function projectAt(machine: Machine, root: string): CodeProject {
  const key = sha256(root);
  return {
    root,
    directory: projectDataDirectory(databaseDirectory(machine.home), root),
    // An integer that is the same for everybody who indexes this path.
    id: Number.parseInt(key.slice(0, 8), 16) & 0x7fffffff,
  };
}

const wrongPath = (reason: string) =>
  new DomainError("invalid_input", reason, { reason: "wrong_path", details: { param: "path" } });
