/** What is known of a project's files when imports are resolved. Paths are relative to the project, with slashes. */
export interface SourceTree {
  hasFile(path: string): boolean;
  hasDirectory(path: string): boolean;
  /** The directories whose path ends with these parts. */
  directoriesEndingWith(path: string): readonly string[];
  /** The directories that Go code imports by this path. */
  goPackages(importPath: string): readonly string[];
  /** What `paths` and `baseUrl` of the nearest tsconfig.json, or the name of a package in the project, make of a specifier. */
  scriptAliases(specifier: string, importer: string): readonly string[];
}

/** How a language finds what another file declares. */
export interface ModuleRules {
  /** A name at the top of a file is known in the file, or in all files of its directory. */
  readonly unit: "file" | "directory";
  /** Names without a dot may be members of the class around them. */
  readonly hasImplicitThis?: boolean;
  /** The files or directories that an import means; none if they are not in the project. */
  modulesOf(from: string, importer: string, tree: SourceTree): readonly string[];
  /** The type of a variable or field, or the type of a function's result, as a path from a name of its file. */
  typeOf(signature: string): string | undefined;
}

export function directoryOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

/** A path relative to a directory; `undefined` if it leaves the project. */
export function joinPath(directory: string, relative: string): string | undefined {
  const parts = directory === "" ? [] : directory.split("/");
  for (const part of relative.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

/** The directory of a file and all those above it, the nearest first. */
export function* directoriesAbove(path: string): Generator<string> {
  let directory = directoryOf(path);
  yield directory;
  while (directory !== "") {
    directory = directoryOf(directory);
    yield directory;
  }
}
