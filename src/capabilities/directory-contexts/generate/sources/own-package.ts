import { join } from "node:path";
import { listDirectory } from "../../freshness/fingerprint.ts";
import { parentOf } from "../../read/scan-directories.ts";
import { isManifest, readManifests } from "./manifests.ts";
import { sourceText } from "./sources.ts";

/** The package that a directory belongs to. */
export interface OwnPackage {
  /** Where its manifest is. */
  readonly scope: string;
  readonly name: string;
  readonly description: string;
}

export type OwnPackages = (scope: string) => OwnPackage | undefined;

/** The nearest manifest with a name, in the directory or above it, decides. */
export function openOwnPackages(root: string): OwnPackages {
  const known = new Map<string, OwnPackage | undefined>();
  const packageOf = (scope: string): OwnPackage | undefined => {
    if (known.has(scope)) return known.get(scope);
    const found = declaredIn(root, scope) ?? (scope === "." ? undefined : packageOf(parentOf(scope)));
    known.set(scope, found);
    return found;
  };
  return packageOf;
}

function declaredIn(root: string, scope: string): OwnPackage | undefined {
  const directory = join(root, scope);
  const names = (listDirectory(directory)?.files ?? []).map(({ name }) => name).filter(isManifest);
  const texts = names.map((name) => [name, sourceText(join(directory, name)) ?? ""] as const);
  const named = readManifests(new Map(texts)).filter(({ name }) => name !== "" && !/^build$/i.test(name));
  // Beside the manifest of another language, a package.json is for tools.
  const manifest = named.find(({ kind }) => kind !== "npm") ?? named[0];
  return manifest && { scope, name: manifest.name, description: manifest.description };
}
