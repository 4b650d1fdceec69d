import { directoryOf, type ModuleRules } from "../../references/modules.ts";

export const javaModules: ModuleRules = {
  unit: "directory",
  hasImplicitThis: true,
  modulesOf(from, _importer, tree) {
    const path = from.replaceAll(".", "/");
    const directories = tree.directoriesEndingWith(path);
    if (directories.length > 0) return directories;
    // `import static a.b.C.m` takes a member of a class.
    const file = `${path.slice(path.lastIndexOf("/") + 1)}.java`;
    return tree
      .directoriesEndingWith(directoryOf(path))
      .map((directory) => `${directory}/${file}`)
      .filter((candidate) => tree.hasFile(candidate));
  },
  typeOf: (signature) =>
    /(?:^|\s)([\p{L}_$][\p{L}\p{N}_$.]*)(?:<[^()]*>)?\s+[\p{L}_$][\p{L}\p{N}_$]*\s*(?:\(|=|;|$)/u.exec(
      signature.replace(/@\w+(?:\([^)]*\))?\s*/g, ""),
    )?.[1],
};
