import { lstatSync } from "node:fs";
import { join } from "node:path";
import { directoryOf } from "../prepare/document.ts";
import { moduleFacts } from "./module-facts.ts";

/** How code elsewhere names the packages of a project: a directory with a go.mod of its own is another module. */
export function openImportPaths(root: string): (directory: string) => string {
  const known = new Map<string, string>([[".", moduleFacts(root).moduleName]]);
  const importPath = (directory: string): string => {
    const before = known.get(directory);
    if (before !== undefined) return before;
    const path = find(directory);
    known.set(directory, path);
    return path;
  };
  const find = (directory: string): string => {
    const isModule = lstatSync(join(root, directory, "go.mod"), { throwIfNoEntry: false })?.isFile() ?? false;
    if (isModule) return moduleFacts(join(root, directory)).moduleName;
    const name = directory.slice(directory.lastIndexOf("/") + 1);
    const above = importPath(directoryOf(directory));
    return above === "" ? name : `${above}/${name}`;
  };
  return importPath;
}
