import { lstatSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import { MANIFEST, STORE_DIRECTORY } from "./layout.ts";

export interface StorePlace {
  /** The project: the nearest parent directory with a store or a repository. */
  readonly root: string;
  readonly directory: string;
}

/** The nearest wins, so a nested repository has its own memory. */
export function locate(from: string): StorePlace | undefined {
  // A project that was removed while a server runs must not lead to the repository above it.
  if (!statSync(from, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  for (let root = from; ; root = dirname(root)) {
    const directory = join(root, STORE_DIRECTORY);
    const store = lstatSync(directory, { throwIfNoEntry: false });
    if (store?.isSymbolicLink()) {
      throw new DomainError(
        "forbidden_path",
        `${STORE_DIRECTORY} is a link. The store must be a real directory of the project.`,
      );
    }
    if (store?.isDirectory() || lstatSync(join(root, ".git"), { throwIfNoEntry: false })) {
      return { root, directory };
    }
    if (dirname(root) === root) return undefined;
  }
}

export const isInitialised = ({ directory }: StorePlace): boolean =>
  lstatSync(join(directory, MANIFEST), { throwIfNoEntry: false })?.isFile() ?? false;

export const noStore = () =>
  new DomainError("not_found", "No context store here. Run `contextful memory init` to make one.", {
    reason: "not_initialised",
  });

export const outsideAnyProject = () =>
  new DomainError("not_found", "Not inside a project with a context store or git repo");
