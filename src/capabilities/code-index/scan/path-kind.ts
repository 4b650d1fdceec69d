import { statSync } from "node:fs";

/** What is at an absolute path of a project. An index without a directory answers from its files. */
export type PathKindOf = (path: string) => "file" | "directory" | undefined;

export const kindOnDisk: PathKindOf = (path) => {
  try {
    return statSync(path).isDirectory() ? "directory" : "file";
  } catch {
    // Nothing is there, or no file system takes such a name.
    return undefined;
  }
};
