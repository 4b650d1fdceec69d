import { readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readTextInside } from "../../../../core/files/read-inside.ts";
import { parseJson } from "../../../../core/json.ts";
import { once } from "../../../../core/lazy.ts";
import { byCodeUnit } from "../../../../core/order.ts";
import type { Dependency } from "./dependency.ts";
import { readNodeLock } from "./npm-locks.ts";

const Names = z.record(z.string(), z.unknown()).catch({});
const Manifest = z.object({
  dependencies: Names,
  devDependencies: Names,
  peerDependencies: Names,
  optionalDependencies: Names,
  workspaces: z
    .union([
      z.array(z.string()),
      z.object({ packages: z.array(z.string()) }).transform(({ packages }) => packages),
    ])
    .catch([]),
});
const NAME = /^(?:@[\w.~-]+\/)?[\w~][\w.~-]*$/;

/** The dependencies of package.json and of its workspaces, with the versions of the lock file. */
export async function npmDependencies(root: string): Promise<readonly Dependency[]> {
  const top = await readManifest(root, "package.json");
  if (top === undefined) return [];
  const directories = ["", ...workspaceDirectories(root, top.workspaces)];
  const lock = once(() => readNodeLock(root));
  const places = new Map<string, string[]>();
  const ranges = new Map<string, string>();
  for (const directory of directories) {
    const manifest = directory === "" ? top : await readManifest(root, `${directory}/package.json`);
    for (const [name, range] of manifest ? rangesOf(manifest) : []) {
      ranges.set(name, ranges.get(name) ?? range);
      // A workspace's own copy comes before the one that all share.
      const known = places.get(name) ?? [join("node_modules", name)];
      places.set(name, directory === "" ? known : [join(directory, "node_modules", name), ...known]);
    }
  }
  return [...places].map(([name, paths]) => ({
    name,
    locked: async () => (await lock())(name, ranges.get(name) ?? ""),
    places: paths.map((path) => ({ directory: join(root, path), inside: root })),
  }));
}

async function readManifest(root: string, path: string) {
  return Manifest.safeParse(parseJson((await readTextInside(root, path)) ?? "")).data;
}

const rangesOf = (manifest: z.output<typeof Manifest>) =>
  Object.entries({
    ...manifest.optionalDependencies,
    ...manifest.peerDependencies,
    ...manifest.devDependencies,
    ...manifest.dependencies,
  }).flatMap(([name, range]): (readonly [string, string])[] =>
    NAME.test(name) && !name.includes("..") ? [[name, typeof range === "string" ? range : ""]] : [],
  );

/** Patterns such as `packages/*`, and plain directories; other patterns are rare. */
function workspaceDirectories(root: string, patterns: readonly string[]): string[] {
  return patterns
    .filter((pattern) => /^[\w][\w./-]*(?:\/\*)?$/.test(pattern) && !pattern.includes(".."))
    .flatMap((pattern) => {
      if (!pattern.endsWith("/*")) return [pattern];
      const parent = pattern.slice(0, -2);
      return namesIn(join(root, parent)).map((name) => `${parent}/${name}`);
    })
    .sort(byCodeUnit);
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    );
  } catch {
    return [];
  }
}
