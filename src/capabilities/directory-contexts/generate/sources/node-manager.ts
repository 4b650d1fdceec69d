import { join } from "node:path";
import { listDirectory } from "../../freshness/fingerprint.ts";
import { parentOf } from "../../read/scan-directories.ts";
import { readManifests } from "./manifests.ts";
import { sourceText } from "./sources.ts";

/** The package manager that runs the scripts of a scope's package.json. */
export type NodeManagers = (scope: string) => string;

/** The nearest ancestor that names one decides: a workspace has one lock file, at its top. */
export function openNodeManagers(root: string): NodeManagers {
  const known = new Map<string, string>();
  const managerOf = (scope: string): string => {
    const before = known.get(scope);
    if (before !== undefined) return before;
    const manager = declaredIn(join(root, scope)) ?? (scope === "." ? "npm" : managerOf(parentOf(scope)));
    known.set(scope, manager);
    return manager;
  };
  return managerOf;
}

const LOCK_FILES: readonly (readonly [file: string, manager: string])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["pnpm-workspace.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
];

function declaredIn(directory: string): string | undefined {
  const files = new Set(listDirectory(directory)?.files.map(({ name }) => name));
  const text = files.has("package.json") ? sourceText(join(directory, "package.json")) : undefined;
  const manifest = text === undefined ? undefined : readManifests(new Map([["package.json", text]]))[0];
  return manifest?.packageManager ?? LOCK_FILES.find(([file]) => files.has(file))?.[1];
}
