import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { statOf } from "../../freshness/fingerprint.ts";
import { depthOf, parentOf } from "../../read/scan-directories.ts";
import { goModuleName } from "../sources/go-directives.ts";
import { sourceText } from "../sources/sources.ts";
import { openTsconfigPaths } from "./tsconfig-paths.ts";
import { openWorkspaces, type Workspaces } from "./workspaces.ts";

/** Lookups of the project's own directories, cached for one run. */
export interface ImportMap {
  isDirectory(path: string): boolean;
  /** The Go module a directory belongs to. */
  goModule(scope: string): { readonly name: string; readonly root: string } | undefined;
  /** The nearest ancestor with a Cargo.toml. */
  crateRoot(scope: string): string | undefined;
  /** The nearest ancestor that is the root of a Python project. */
  pythonRoot(scope: string): string | undefined;
  /** Resolves a bare import through the nearest tsconfig, if it maps to a directory. */
  tsconfigPath(scope: string, written: string): string | undefined;
  /** The directory of a package of the same repository. */
  readonly packageOf: Workspaces;
}

export function openImportMap(root: string): ImportMap {
  const directories = new Map<string, boolean>();
  const nearest = new Map<string, string | undefined>();
  const holderOf = (scope: string, file: string): string | undefined => {
    const key = `${file}:${scope}`;
    if (!nearest.has(key)) {
      const isHere = existsSync(join(root, scope, file));
      nearest.set(key, isHere ? scope : scope === "." ? undefined : holderOf(parentOf(scope), file));
    }
    return nearest.get(key);
  };
  // All holders are ancestors of one scope: the deepest is the nearest.
  const nearestOf = (scope: string, files: readonly string[]) =>
    files
      .flatMap((file) => {
        const holder = holderOf(scope, file);
        return holder === undefined ? [] : [{ file, holder }];
      })
      .toSorted((a, b) => depthOf(b.holder) - depthOf(a.holder))[0];
  const modules = new Map<string, string>();
  const isDirectory = (path: string) => {
    const known = directories.get(path) ?? statOf(join(root, path))?.isDirectory() ?? false;
    directories.set(path, known);
    return known;
  };
  const tsconfigPath = openTsconfigPaths(root, isDirectory);
  return {
    isDirectory,
    pythonRoot: (scope) => nearestOf(scope, ["pyproject.toml", "setup.py", "setup.cfg"])?.holder,
    tsconfigPath(scope, written) {
      const config = nearestOf(scope, ["tsconfig.json", "jsconfig.json"]);
      return config && tsconfigPath(posix.join(config.holder, config.file), written);
    },
    goModule(scope) {
      const holder = holderOf(scope, "go.mod");
      if (holder === undefined) return undefined;
      const name = modules.get(holder) ?? goModuleName(sourceText(join(root, holder, "go.mod")) ?? "");
      modules.set(holder, name);
      return name === "" ? undefined : { name, root: holder };
    },
    crateRoot: (scope) => holderOf(scope, "Cargo.toml"),
    packageOf: openWorkspaces(root),
  };
}
