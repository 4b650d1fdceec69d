import { readdirSync } from "node:fs";
import { posix } from "node:path";
import { byCodeUnit } from "../../../../core/order.ts";
import { compileGlob, type PathTest } from "../../../../core/scan/glob.ts";
import { isEntered } from "../../read/source-files.ts";

/** Far more than any workspace needs. A hostile pattern must not run for ever. */
const MAX_STEPS = 50_000;

/** Expands patterns such as `packages/*` to scopes below a scope; `!` excludes. */
export type WorkspaceMembers = (base: string, patterns: readonly string[]) => readonly string[];

/** Lists each directory once; links are not followed. */
export function openWorkspaceMembers(root: string): WorkspaceMembers {
  const listed = new Map<string, readonly string[]>();
  const directoriesIn = (scope: string): readonly string[] => {
    const known = listed.get(scope) ?? readDirectories(`${root}/${scope}`);
    listed.set(scope, known);
    return known;
  };
  return (base, patterns) => {
    let steps = 0;
    const expand = (scope: string, [first, ...rest]: readonly GlobSegment[]): readonly string[] => {
      if (first === undefined) return [scope];
      if (++steps > MAX_STEPS) return [];
      const children = directoriesIn(scope).map((name) => ({ name, path: posix.join(scope, name) }));
      if (first !== "**")
        return children.flatMap(({ name, path }) => (first(name) ? expand(path, rest) : []));
      return [...expand(scope, rest), ...children.flatMap(({ path }) => expand(path, [first, ...rest]))];
    };
    const meant = (wanted: readonly string[]) =>
      wanted.flatMap((pattern) => expand(base, segmentsOf(pattern)));
    const unwanted = new Set(meant(patterns.filter(isNegated).map((pattern) => pattern.slice(1))));
    const found = new Set(meant(patterns.filter((pattern) => !isNegated(pattern))));
    return [...found].filter((scope) => !unwanted.has(scope)).sort(byCodeUnit);
  };
}

const isNegated = (pattern: string) => pattern.startsWith("!");

type GlobSegment = PathTest | "**";

/** An invalid pattern matches nothing. */
function segmentsOf(pattern: string): readonly GlobSegment[] {
  const names = pattern.split("/").filter((name) => name !== "" && name !== ".");
  try {
    return names.map((name) => (name === "**" ? name : compileGlob(name)));
  } catch {
    return [() => false];
  }
}

function readDirectories(path: string): readonly string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && isEntered(entry.name))
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
