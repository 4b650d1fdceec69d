import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { readTextInside } from "../../../../core/files/read-inside.ts";
import type { Dependency } from "./dependency.ts";

const REQUIRED = /^\s*(?:require\s+)?([a-z0-9][\w.~/-]*)\s+(v[\w.+-]+)\s*(\/\/ indirect)?\s*$/gim;

/** The direct requirements of go.mod, from the vendor directory or the module cache. */
export async function goDependencies(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly Dependency[]> {
  const text = (await readTextInside(root, "go.mod")) ?? "";
  const cache = moduleCache(env);
  return [...text.matchAll(REQUIRED)].flatMap(([, name = "", version = "", indirect]) => {
    if (indirect !== undefined || name.includes("..")) return [];
    const cached = join(cache, `${escaped(name)}@${escaped(version)}`);
    const places = [
      { directory: join(root, "vendor", name), inside: root },
      { directory: cached, inside: cache },
    ];
    return [{ name, locked: async () => version, places }];
  });
}

function moduleCache(env: Readonly<Record<string, string | undefined>>): string {
  const set = env["GOMODCACHE"] ?? (env["GOPATH"] && join(env["GOPATH"], "pkg", "mod"));
  return set !== undefined && isAbsolute(set) ? set : join(env["HOME"] ?? homedir(), "go", "pkg", "mod");
}

/** The cache is made for disks that do not tell capitals apart. */
const escaped = (text: string) => text.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
