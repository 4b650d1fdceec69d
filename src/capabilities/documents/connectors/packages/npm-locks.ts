import { z } from "zod";
import { readTextInside } from "../../../../core/files/read-inside.ts";
import { parseJson } from "../../../../core/json.ts";

/** The version of a direct dependency that a lock file fixes; `range` is what the manifest asks for. */
type LockedVersion = (name: string, range: string) => string | undefined;

const MOST_LOCK_BYTES = 64 * 1024 * 1024;

/** The lock file of npm, pnpm or yarn, whichever is there first. */
export async function readNodeLock(root: string): Promise<LockedVersion> {
  for (const [file, read] of LOCKS) {
    const text = await readTextInside(root, file, MOST_LOCK_BYTES);
    if (text !== undefined) return read(text);
  }
  return () => undefined;
}

const LOCKS: readonly (readonly [file: string, read: (text: string) => LockedVersion])[] = [
  ["package-lock.json", readPackageLock],
  ["pnpm-lock.yaml", readPnpmLock],
  ["yarn.lock", readYarnLock],
];

const PackageLock = z.object({
  packages: z.record(z.string(), z.looseObject({ version: z.string().optional() })),
});

function readPackageLock(text: string): LockedVersion {
  const packages = PackageLock.safeParse(parseJson(text)).data?.packages ?? {};
  return (name) => packages[`node_modules/${name}`]?.version;
}

const GROUP = /^(?:dev|optional)?dependencies$/i;

/**
 * Read line by line: a lock file is large, and only its first section is needed. A dependency is below its group, which is at
 * the top or, since workspaces, below its importer; its version follows it (version 5) or is below it.
 */
function readPnpmLock(text: string): LockedVersion {
  const versions = new Map<string, string>();
  const open: { readonly indent: number; readonly key: string }[] = [];
  for (const [, indent = "", written = "", value = ""] of text.matchAll(
    /^( *)([^\s#][^\n]*?):(?: +([^\n]*))?$/gm,
  )) {
    while ((open.at(-1)?.indent ?? -1) >= indent.length) open.pop();
    const key = unquoted(written);
    open.push({ indent: indent.length, key });
    const path = open.map((each) => each.key);
    const named = key === "version" ? path.slice(0, -1) : path;
    const isDirect = GROUP.test(named.at(-2) ?? "") && (named.length === 2 || named[0] === "importers");
    const version = unquoted(value).replace(/[(_].*$/, "");
    const name = named.at(-1) ?? "";
    // The project's own dependencies come before those of its workspaces.
    if (isDirect && /^\d/.test(version) && !versions.has(name)) versions.set(name, version);
  }
  return (name) => versions.get(name);
}

/** An entry names all ranges that it answers: `"hono@^4.0.0", hono@^4.6.0:`, since version 2 `"hono@npm:^4.6.0"`. */
function readYarnLock(text: string): LockedVersion {
  const versions = new Map<string, string>();
  for (const [, ranges = "", version = ""] of text.matchAll(/^([^\s#][^\n]*):\n {2}version:? ([^\n]+)$/gm))
    for (const range of unquoted(ranges).split(/"?, "?/)) versions.set(range, unquoted(version));
  return (name, range) => versions.get(`${name}@${range}`) ?? versions.get(`${name}@npm:${range}`);
}

const unquoted = (text: string) => text.trim().replace(/^["']|["']$/g, "");
