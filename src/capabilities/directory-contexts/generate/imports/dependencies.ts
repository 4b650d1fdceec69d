import { byCodeUnit } from "../../../../core/order.ts";
import type { PackageManifest } from "../sources/manifests.ts";
import type { SourceFile } from "../sources/sources.ts";
import type { ImportMap } from "./import-map.ts";
import { importedScope } from "./resolve-import.ts";

const MAX_INTERNAL = 20;
const MAX_EXTERNAL = 30;

interface DependencyClues {
  readonly scope: string;
  readonly sources: readonly SourceFile[];
  readonly manifests: readonly PackageManifest[];
}

/** Scopes of the project's own directories that sources import or manifests name. Tests are ignored. */
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
      const target = importedScope(parsed.language, { scope, written, map, packageName: parsed.packageName });
      if (target !== undefined && target !== scope && !target.startsWith("..")) found.add(target);
    }
  }
  return [...found].sort(byCodeUnit).slice(0, MAX_INTERNAL);
}

/** The dependencies of the first manifest that has any, without the project's own packages. */
export function externalDependencies({ scope, manifests }: DependencyClues, map: ImportMap): string[] {
  const first = manifests.find(({ dependencies }) => dependencies.length > 0);
  const isOwn = (each: string) => first && map.packageOf(first.kind, scope, nameIn(each)) !== undefined;
  return (first?.dependencies ?? []).filter((each) => !isOwn(each)).slice(0, MAX_EXTERNAL);
}

/** "name version" */
const nameIn = (dependency: string) => dependency.split(" ")[0] ?? "";
