import { statSync } from "node:fs";

/** What is at an absolute path of a project. An index without a directory answers from its files. */
export type PathKindOf = (path: string) => "file" | "directory" | undefined;

export const kindOnDisk: PathKindOf = (path) => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && (found.isDirectory() ? "directory" : "file");
};
