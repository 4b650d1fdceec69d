import { lstatSync } from "node:fs";
import { join } from "node:path";
import { directoryOf } from "./document.ts";
import { moduleFacts } from "./project.ts";

/** How code elsewhere names the packages of a project: a directory with a go.mod of its own is another module. */
export function openImportPaths(root: string, moduleName: string): (directory: string) => Promise<string> {
  const known = new Map<string, Promise<string>>([[".", Promise.resolve(moduleName)]]);
  const importPath = (directory: string): Promise<string> => {
    const before = known.get(directory);
    if (before !== undefined) return before;
    const path = find(directory);
    known.set(directory, path);
    return path;
  };
  const find = async (directory: string): Promise<string> => {
    const isModule = lstatSync(join(root, directory, "go.mod"), { throwIfNoEntry: false })?.isFile() ?? false;
    if (isModule) return (await moduleFacts(join(root, directory))).moduleName;
    const name = directory.slice(directory.lastIndexOf("/") + 1);
    const above = await importPath(directoryOf(directory));
    return above === "" ? name : `${above}/${name}`;
  };
  return importPath;
}
