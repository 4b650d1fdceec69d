import { posix } from "node:path";
import type { LanguageId } from "../../../../core/parse/parse.ts";
import type { PackageManifest } from "../sources/manifests.ts";
import type { ImportMap } from "./import-map.ts";

/** No real path is longer. Each segment costs a lookup. */
const MAX_LENGTH = 4_096;
/** `@scope/name` has two, `example.com/shop/keys` three. */
const MAX_NAME_SEGMENTS = 10;

interface SourceImport {
  readonly scope: string;
  readonly written: string;
  readonly map: ImportMap;
  readonly packageName: string | undefined;
}

/** The project's own directory that a file imports from, as a scope; `undefined` for all that is not the project's. */
export const importedScope = (language: LanguageId, imported: SourceImport): string | undefined =>
  imported.written.length > MAX_LENGTH ? undefined : RESOLVERS[language]?.(imported);

type ImportResolver = (imported: SourceImport) => string | undefined;

const resolveScript: ImportResolver = ({ scope, written, map }) => {
  if (!/^\.{1,2}(\/|$)/.test(written))
    return map.tsconfigPath(scope, written) ?? inPackage("npm", written.split("/"), { scope, map });
  const path = posix.join(scope, written);
  return map.isDirectory(path) ? posix.normalize(path).replace(/\/$/, "") : posix.dirname(path);
};

/** A workspace package, or the directory in it that the rest of the import names. */
function inPackage(
  kind: PackageManifest["kind"],
  segments: readonly string[],
  { scope, map }: Pick<SourceImport, "scope" | "map">,
): string | undefined {
  for (let length = Math.min(segments.length, MAX_NAME_SEGMENTS); length > 0; length--) {
    const found = map.packageOf(kind, scope, segments.slice(0, length).join("/"));
    if (found !== undefined) return longestDirectory(found, segments.slice(length), map);
  }
  return undefined;
}

function longestDirectory(base: string, segments: readonly string[], map: ImportMap): string {
  const [next, ...rest] = segments;
  const path = next === undefined ? base : posix.join(base, next);
  return path === base || !map.isDirectory(path) ? base : longestDirectory(path, rest, map);
}

const resolvePython: ImportResolver = ({ scope, written, map }) => {
  const dots = /^\.*/.exec(written)?.[0].length ?? 0;
  const segments = written.slice(dots).split(".").filter(Boolean);
  const bases =
    dots === 0
      ? [map.pythonRoot(scope) ?? ".", "."].flatMap((base) => [base, posix.join(base, "src")])
      : [posix.join(scope, ...Array<string>(dots - 1).fill(".."))];
  for (const base of bases) {
    // The last names may be a module or something in it: the longest existing directory counts.
    for (let length = segments.length; length > (dots === 0 ? 0 : -1); length--) {
      const path = posix.join(base, ...segments.slice(0, length));
      if (map.isDirectory(path)) return path;
    }
  }
  return undefined;
};

const resolveGo: ImportResolver = (imported) =>
  inOwnModule(imported) ?? inPackage("go", imported.written.split("/"), imported);

const inOwnModule: ImportResolver = ({ scope, written, map }) => {
  const module = map.goModule(scope);
  if (module === undefined) return undefined;
  if (written === module.name) return module.root;
  // Packages of the standard library's own module have no prefix.
  const inside = written.startsWith(`${module.name}/`)
    ? written.slice(module.name.length + 1)
    : module.name === "std"
      ? written
      : undefined;
  const path = inside === undefined ? undefined : posix.join(module.root, inside);
  return path !== undefined && map.isDirectory(path) ? path : undefined;
};

const resolveRust: ImportResolver = ({ scope, written, map }) => {
  const [first = "", ...segments] = written.split("::");
  const own = map.crateRoot(scope);
  const crate = first === "crate" ? own : map.packageOf("rust", scope, first);
  if (crate === undefined) return undefined;
  const source = posix.join(crate, "src");
  const inside = longestDirectory(source, segments, map);
  if (inside !== source) return inside;
  // For another crate, the directory of its manifest is used.
  if (crate !== own) return crate;
  return first === "crate" && map.isDirectory(source) ? source : undefined;
};

const resolveJava: ImportResolver = ({ scope, written, map, packageName }) => {
  const own = packageName?.replaceAll(".", "/");
  if (own === undefined || !(scope === own || scope.endsWith(`/${own}`))) return undefined;
  const base = scope.slice(0, scope.length - own.length);
  const segments = written.split(".");
  for (let length = segments.length; length > 0; length--) {
    const path = base + segments.slice(0, length).join("/");
    // A shared first segment such as `com` is not a dependency.
    if (map.isDirectory(path)) return length >= segments.length - 2 ? path : undefined;
  }
  return undefined;
};

/** Directories that languages look for imports in, besides that of the file. */
const SOURCE_ROOTS = [".", "src", "lib", "include", "lua", "app", "app/src/main", "src/main"] as const;

/** For imports that are paths of files: `"../keys/key.h"`, `shop/store`, `package:shop/store.dart`. */
const resolvePath: ImportResolver = ({ scope, written, map }) => {
  const path = written.replace(/^package:[^/]+\//, "lib/").replace(/^\/+/, "");
  const directory = posix.dirname(path);
  if (directory === ".") return undefined;
  const bases = /^\.{1,2}\//.test(path) ? [scope] : [scope, ...SOURCE_ROOTS];
  return bases.map((base) => posix.join(base, directory)).find((target) => map.isDirectory(target));
};

/** For imports that name what they import by dots, where directories follow the names: `shop.keys`, `Shop\\Keys\\Key`. */
const resolveNames: ImportResolver = (imported) => {
  const { written, map } = imported;
  const segments = namesIn(written);
  for (const base of SOURCE_ROOTS) {
    // A shared first name such as `com` is not a dependency, and the last ones may be a file or something in it.
    for (let length = segments.length; length > Math.max(1, segments.length - 2); length--) {
      const path = posix.join(base, ...segments.slice(0, length));
      if (map.isDirectory(path)) return path;
    }
  }
  return undefined;
};

/**
 * For namespaces that directories follow only in part, as `App\\Http` in `src/Http`: what the file's own namespace and
 * directory have in common tells where the rest of the namespace begins.
 */
const inOwnNamespace: ImportResolver = ({ scope, written, map, packageName }) => {
  const own = namesIn((packageName ?? "").slice(0, MAX_LENGTH));
  const directories = scope === "." ? [] : scope.split("/");
  let shared = 0;
  while (shared < own.length && own.at(-1 - shared) === directories.at(-1 - shared)) shared++;
  const root = own.slice(0, own.length - shared);
  const segments = namesIn(written);
  if (own.length === 0 || !root.every((name, at) => segments[at] === name)) return undefined;
  const base = directories.slice(0, directories.length - shared).join("/") || ".";
  const rest = segments.slice(root.length);
  // The last name may be a class in the directory.
  return [rest, rest.slice(0, -1)]
    .map((names) => posix.join(base, ...names))
    .find((path) => map.isDirectory(path));
};

/** C# has a directory for each project, named like the namespace: `Shop.Core/Keys` holds `Shop.Core.Keys`. */
const inProjectNamespace: ImportResolver = ({ scope, written, map }) => {
  const segments = namesIn(written);
  const above = scope.split("/").map((_, at, names) => names.slice(0, at).join("/") || ".");
  for (const base of [...above, ...SOURCE_ROOTS]) {
    for (let length = Math.min(segments.length, MAX_NAME_SEGMENTS); length > 1; length--) {
      const project = posix.join(base, segments.slice(0, length).join("."));
      if (map.isDirectory(project)) return longestDirectory(project, segments.slice(length), map);
    }
  }
  return undefined;
};

const namesIn = (written: string) => written.split(/[.\\:/]+/).filter((name) => /^\w+$/.test(name));

const firstOf =
  (...resolvers: readonly ImportResolver[]): ImportResolver =>
  (imported) => {
    for (const resolve of resolvers) {
      const found = resolve(imported);
      if (found !== undefined) return found;
    }
    return undefined;
  };

const RESOLVERS: Readonly<Partial<Record<LanguageId, ImportResolver>>> = {
  typescript: resolveScript,
  tsx: resolveScript,
  javascript: resolveScript,
  python: resolvePython,
  go: resolveGo,
  rust: resolveRust,
  java: resolveJava,
  kotlin: firstOf(resolveJava, inOwnNamespace),
  scala: firstOf(resolveJava, inOwnNamespace),
  vue: resolveScript,
  svelte: resolveScript,
  c: resolvePath,
  cpp: resolvePath,
  "objective-c": resolvePath,
  protobuf: resolvePath,
  ruby: resolvePath,
  dart: resolvePath,
  zig: resolvePath,
  bash: resolvePath,
  css: resolvePath,
  csharp: firstOf(resolveNames, inProjectNamespace, inOwnNamespace),
  php: firstOf(resolveNames, inOwnNamespace),
  lua: resolveNames,
  haskell: resolveNames,
  swift: resolveNames,
};
