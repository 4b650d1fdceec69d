import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { byCodeUnit } from "../../../core/order.ts";
import { statOf } from "../fingerprint.ts";
import { parentOf } from "../scan-directories.ts";
import type { Manifest } from "./manifests.ts";
import { type Source, sourceText } from "./sources.ts";
import { openWorkspaces, type Workspaces } from "./workspaces.ts";

const MAX_INTERNAL = 20;
const MAX_EXTERNAL = 30;
/** `@scope/name` has two, `example.com/shop/keys` three. */
const MAX_NAME_SEGMENTS = 10;

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
      const text = modules.get(holder) ?? sourceText(join(root, holder, "go.mod")) ?? "";
      modules.set(holder, text);
      const name = /^module\s+"?([^\s"]+)/m.exec(text)?.[1];
      return name === undefined ? undefined : { name, root: holder };
    },
    crateRoot: (scope) => holderOf(scope, "Cargo.toml"),
    packageOf: openWorkspaces(root),
  };
}

export interface DependencyClues {
  readonly scope: string;
  readonly sources: readonly Source[];
  readonly manifests: readonly Manifest[];
}

/** The project's own directories that these sources import from or manifests name, as scopes; tests are not asked. */
export function internalDependencies(
  { scope, sources, manifests }: DependencyClues,
  map: ImportMap,
): string[] {
  const declared = manifests.flatMap(({ kind, dependencies }) =>
    dependencies.flatMap((each) => map.packageOf(kind, scope, nameIn(each)) ?? []),
  );
  const found = new Set(declared.filter((target) => target !== scope));
  for (const { parsed, isTest } of sources) {
    if (isTest || !parsed) continue;
    for (const written of parsed.imports) {
      const target = RESOLVERS[parsed.language]({ scope, written, map, packageName: parsed.packageName });
      if (target !== undefined && target !== scope && !target.startsWith("..")) found.add(target);
    }
  }
  return [...found].sort(byCodeUnit).slice(0, MAX_INTERNAL);
}

/** What the first manifest that names any depends on, without the project's own packages. */
export function externalDependencies({ scope, manifests }: DependencyClues, map: ImportMap): string[] {
  const first = manifests.find(({ dependencies }) => dependencies.length > 0);
  const isOwn = (each: string) => first && map.packageOf(first.kind, scope, nameIn(each)) !== undefined;
  return (first?.dependencies ?? []).filter((each) => !isOwn(each)).slice(0, MAX_EXTERNAL);
}

/** "name version" */
const nameIn = (dependency: string) => dependency.split(" ")[0] ?? "";

interface Import {
  readonly scope: string;
  readonly written: string;
  readonly map: ImportMap;
  readonly packageName: string | undefined;
}
type Resolve = (imported: Import) => string | undefined;

const resolveScript: Resolve = ({ scope, written, map }) => {
  if (!/^\.{1,2}(\/|$)/.test(written)) return inPackage("npm", written.split("/"), { scope, map });
  const path = posix.join(scope, written);
  return map.isDirectory(path) ? posix.normalize(path).replace(/\/$/, "") : posix.dirname(path);
};

/** A package of a workspace, or the directory in it that the import goes on to name. */
function inPackage(
  kind: Manifest["kind"],
  way: readonly string[],
  { scope, map }: Pick<Import, "scope" | "map">,
): string | undefined {
  for (let length = Math.min(way.length, MAX_NAME_SEGMENTS); length > 0; length--) {
    const found = map.packageOf(kind, scope, way.slice(0, length).join("/"));
    if (found !== undefined) return longestDirectory(found, way.slice(length), map);
  }
  return undefined;
}

function longestDirectory(base: string, way: readonly string[], map: ImportMap): string {
  const [next, ...rest] = way;
  const path = next === undefined ? base : posix.join(base, next);
  return path === base || !map.isDirectory(path) ? base : longestDirectory(path, rest, map);
}

const resolvePython: Resolve = ({ scope, written, map }) => {
  const dots = /^\.*/.exec(written)?.[0].length ?? 0;
  const way = written.slice(dots).split(".").filter(Boolean);
  const bases = dots === 0 ? [".", "src"] : [posix.join(scope, ...Array<string>(dots - 1).fill(".."))];
  for (const base of bases) {
    // The last names may be a module or something in it: the longest directory on the way counts.
    for (let length = way.length; length > (dots === 0 ? 0 : -1); length--) {
      const path = posix.join(base, ...way.slice(0, length));
      if (map.isDirectory(path)) return path;
    }
  }
  return undefined;
};

const resolveGo: Resolve = (imported) =>
  inOwnModule(imported) ?? inPackage("go", imported.written.split("/"), imported);

const inOwnModule: Resolve = ({ scope, written, map }) => {
  const module = map.goModule(scope);
  if (module === undefined) return undefined;
  if (written === module.name) return module.root;
  // The standard library's own module has no name before its packages.
  const inside = written.startsWith(`${module.name}/`)
    ? written.slice(module.name.length + 1)
    : module.name === "std"
      ? written
      : undefined;
  const path = inside === undefined ? undefined : posix.join(module.root, inside);
  return path !== undefined && map.isDirectory(path) ? path : undefined;
};

const resolveRust: Resolve = ({ scope, written, map }) => {
  const [first = "", ...way] = written.split("::");
  const own = map.crateRoot(scope);
  const crate = first === "crate" ? own : map.packageOf("rust", scope, first);
  if (crate === undefined) return undefined;
  const source = posix.join(crate, "src");
  const inside = longestDirectory(source, way, map);
  if (inside !== source) return inside;
  // Of another crate the directory with its manifest stands for the whole.
  if (crate !== own) return crate;
  return first === "crate" && map.isDirectory(source) ? source : undefined;
};

const resolveJava: Resolve = ({ scope, written, map, packageName }) => {
  const own = packageName?.replaceAll(".", "/");
  if (own === undefined || !(scope === own || scope.endsWith(`/${own}`))) return undefined;
  const base = scope.slice(0, scope.length - own.length);
  const way = written.split(".");
  for (let length = way.length; length > 0; length--) {
    const path = base + way.slice(0, length).join("/");
    // A shared first segment such as `com` is no dependency.
    if (map.isDirectory(path)) return length >= way.length - 2 ? path : undefined;
  }
  return undefined;
};

const RESOLVERS = {
  typescript: resolveScript,
  tsx: resolveScript,
  javascript: resolveScript,
  python: resolvePython,
  go: resolveGo,
  rust: resolveRust,
  java: resolveJava,
} as const satisfies Record<NonNullable<Source["parsed"]>["language"], Resolve>;
