import {
  directoriesAbove,
  directoryOf,
  joinPath,
  type ModuleRules,
  type SourceTree,
} from "../../references/modules.ts";

export const pythonModules: ModuleRules = {
  unit: "file",
  modulesOf(from, importer, tree) {
    const [, dots = "", rest = ""] = /^(\.*)(.*)$/.exec(from) ?? [];
    const path = rest.replaceAll(".", "/");
    if (dots !== "") {
      const base = joinPath(directoryOf(importer), "../".repeat(dots.length - 1));
      return base === undefined ? [] : moduleAt(base, path, tree);
    }
    // A package may stand below the project's root, as in `src/` or beside tests.
    for (const directory of directoriesAbove(importer)) {
      const found = moduleAt(directory, path, tree);
      if (found.length > 0) return found;
    }
    return ["src", "lib"].flatMap((directory) => moduleAt(directory, path, tree)).slice(0, 1);
  },
  typeOf(signature) {
    const type =
      /(?:->|^\w+\s*:)\s*["']?(?:Optional\[)?([\p{L}_][\p{L}\p{N}_.]*)\]?["']?(?:\s*\|\s*None)?(?:\s*=.*|:)?$/u;
    const made = /=\s*([\p{L}_][\p{L}\p{N}_.]*)\(.*\)$/u.exec(signature)?.[1];
    return type.exec(signature)?.[1] ?? (made === undefined ? undefined : `${made}()`);
  },
};

/** A module is a file or a directory. */
function moduleAt(directory: string, path: string, tree: SourceTree): readonly string[] {
  const base = joinPath(directory, path) ?? "";
  const file = [`${base}.py`, `${base}/__init__.py`, `${base}.pyi`, `${base}/__init__.pyi`].find((one) =>
    tree.hasFile(one.replace(/^\//, "")),
  );
  if (file !== undefined) return [file.replace(/^\//, "")];
  return path !== "" && tree.hasDirectory(base) ? [base] : [];
}
