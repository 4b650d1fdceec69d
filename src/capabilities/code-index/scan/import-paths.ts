import { join } from "node:path";
import { lstatReachable } from "../../../core/files/opened-path.ts";
import { readText } from "../../../core/scan/read-text.ts";

/** Maps each directory to the path that other code imports it by. A nested go.mod starts another module. */
export function openImportPaths(root: string): (directory: string) => string {
  const known = new Map<string, string>([[".", readModule(root).moduleName]]);
  const importPath = (directory: string): string => {
    const before = known.get(directory);
    if (before !== undefined) return before;
    const path = resolve(directory);
    known.set(directory, path);
    return path;
  };
  const resolve = (directory: string): string => {
    const isModule = lstatReachable(join(root, directory, "go.mod"))?.isFile() ?? false;
    if (isModule) return readModule(join(root, directory)).moduleName;
    const name = directory.slice(directory.lastIndexOf("/") + 1);
    const above = importPath(directoryOf(directory));
    return above === "" ? name : `${above}/${name}`;
  };
  return importPath;
}

/** The directory of a file, which the contract calls a symbol's package; `.` at the root. */
export const directoryOf = (path: string): string => {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "." : path.slice(0, slash);
};

interface CodeModule {
  readonly moduleName: string;
  readonly goVersion: string;
}

/** Reads a directory's own go.mod, or else its package.json: a nested module does not name the project. */
export function readModule(directory: string): CodeModule {
  const goMod = textOf(join(directory, "go.mod"));
  if (goMod !== undefined) {
    const moduleName = /^\s*module\s+"?([^\s"/][^\s"]*)"?/m.exec(goMod)?.[1] ?? "";
    return { moduleName, goVersion: /^\s*go\s+([\d.]+\w*)/m.exec(goMod)?.[1] ?? "" };
  }
  return { moduleName: packageName(textOf(join(directory, "package.json")) ?? "{}"), goVersion: "" };
}

function textOf(file: string): string | undefined {
  const read = readText(file);
  return "text" in read ? read.text : undefined;
}

function packageName(manifest: string): string {
  try {
    const parsed: unknown = JSON.parse(manifest);
    if (typeof parsed !== "object" || parsed === null || !("name" in parsed)) return "";
    return typeof parsed.name === "string" ? parsed.name : "";
  } catch {
    return "";
  }
}
