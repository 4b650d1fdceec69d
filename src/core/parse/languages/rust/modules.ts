import {
  directoriesAbove,
  directoryOf,
  joinPath,
  type ModuleRules,
  type SourceTree,
} from "../../references/modules.ts";

export const rustModules: ModuleRules = {
  unit: "file",
  modulesOf(from, importer, tree) {
    const [first = "", ...rest] = from.split("::");
    const start = startOf(first, importer, tree);
    if (start === undefined) return [];
    return moduleAt(start.directory, start.isNamed ? [first, ...rest] : rest, tree);
  },
  typeOf(signature) {
    const type =
      /(?:->|^(?:pub(?:\([\w\s]+\))?\s+)?(?:static|const)?\s*(?:mut\s+)?\w+\s*:)\s*(?:&\s*(?:'\w+\s*)?)?(?:mut\s+)?(?:(?:io::)?(?:Result|Option|Box|Arc|Rc)<)?(?:dyn\s+|impl\s+)?([\p{L}_][\p{L}\p{N}_]*(?:::[\p{L}_][\p{L}\p{N}_]*)*)/u;
    return type.exec(signature)?.[1]?.replaceAll("::", ".");
  },
};

/** The directory that a path begins in. A crate of the project is found by the name of its directory. */
function startOf(first: string, importer: string, tree: SourceTree) {
  const own = moduleDirectory(importer);
  switch (first) {
    case "crate":
      return { directory: crateRoot(importer, tree), isNamed: false };
    case "self":
      return { directory: own, isNamed: false };
    case "super":
      return { directory: directoryOf(own), isNamed: false };
    default: {
      const [crate] = tree.directoriesEndingWith(`${first.replaceAll("_", "-")}/src`);
      const found = crate ?? tree.directoriesEndingWith(`${first}/src`)[0];
      if (found !== undefined) return { directory: found, isNamed: false };
      // A module that this file declares.
      return { directory: own, isNamed: true };
    }
  }
}

/** The modules below `a/b.rs`, `a/b/mod.rs` and `a/lib.rs` are in `a/b`, `a/b` and `a`. */
const moduleDirectory = (path: string) =>
  /(?:^|\/)(?:mod|lib|main)\.rs$/.test(path) ? directoryOf(path) : path.replace(/\.rs$/, "");

function crateRoot(importer: string, tree: SourceTree): string {
  for (const directory of directoriesAbove(importer)) {
    if (["lib.rs", "main.rs"].some((file) => tree.hasFile(joinPath(directory, file) ?? ""))) return directory;
  }
  return directoryOf(importer);
}

/** The deepest part of the path that is a file: the rest are items of it, or modules written in it. */
function moduleAt(directory: string, parts: readonly string[], tree: SourceTree): readonly string[] {
  for (let count = parts.length; count >= 0; count--) {
    const base = joinPath(directory, parts.slice(0, count).join("/")) ?? "";
    const candidates =
      count === 0
        ? [`${base}/lib.rs`, `${base}/main.rs`, `${base}/mod.rs`, `${base}.rs`]
        : [`${base}.rs`, `${base}/mod.rs`];
    const file = candidates.map((path) => path.replace(/^\//, "")).find((path) => tree.hasFile(path));
    if (file !== undefined) return count < parts.length - 1 ? [] : [file];
  }
  return [];
}
