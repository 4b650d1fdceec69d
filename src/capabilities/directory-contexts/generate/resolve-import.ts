import { posix } from "node:path";
import type { LanguageId } from "../../../core/parse/parse.ts";
import type { ImportMap } from "./import-map.ts";
import type { Manifest } from "./manifests.ts";

/** No path is longer; each of its segments is looked for. */
const MAX_LENGTH = 4_096;
/** `@scope/name` has two, `example.com/shop/keys` three. */
const MAX_NAME_SEGMENTS = 10;

interface Import {
  readonly scope: string;
  readonly written: string;
  readonly map: ImportMap;
  readonly packageName: string | undefined;
}

/** The project's own directory that a file imports from, as a scope; `undefined` for all that is not the project's. */
export const importedScope = (language: LanguageId, imported: Import): string | undefined =>
  imported.written.length > MAX_LENGTH ? undefined : RESOLVERS[language]?.(imported);

type Resolve = (imported: Import) => string | undefined;

const resolveScript: Resolve = ({ scope, written, map }) => {
  if (!/^\.{1,2}(\/|$)/.test(written))
    return map.configuredPath(scope, written) ?? inPackage("npm", written.split("/"), { scope, map });
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
  const bases =
    dots === 0
      ? [map.pythonRoot(scope) ?? ".", "."].flatMap((base) => [base, posix.join(base, "src")])
      : [posix.join(scope, ...Array<string>(dots - 1).fill(".."))];
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

const RESOLVERS: Readonly<Partial<Record<LanguageId, Resolve>>> = {
  typescript: resolveScript,
  tsx: resolveScript,
  javascript: resolveScript,
  python: resolvePython,
  go: resolveGo,
  rust: resolveRust,
  java: resolveJava,
};
