import { existsSync } from "node:fs";
import { join } from "node:path";
import { statOf } from "../fingerprint.ts";
import { parentOf } from "../scan-directories.ts";
import { goModuleName } from "./go-directives.ts";
import { sourceText } from "./sources.ts";
import { openWorkspaces, type Workspaces } from "./workspaces.ts";

/** Answers about the project's own directories, remembered for one run. */
export interface ImportMap {
  isDirectory(path: string): boolean;
  /** The Go module a directory belongs to. */
  goModule(scope: string): { readonly name: string; readonly root: string } | undefined;
  /** The nearest ancestor with a Cargo.toml. */
  crateRoot(scope: string): string | undefined;
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
  const modules = new Map<string, string>();
  return {
    isDirectory(path) {
      const known = directories.get(path);
      if (known !== undefined) return known;
      const is = statOf(join(root, path))?.isDirectory() ?? false;
      directories.set(path, is);
      return is;
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
