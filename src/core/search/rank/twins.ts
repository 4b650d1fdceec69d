import type { RankStep } from "./candidate.ts";
import type { RankWeights } from "./weights.ts";

const VERSION = /(^|\/)v(\d{1,3})\//g;
const PLATFORM =
  /(?:^|\/|[_.-])(windows|win32|win|unix|linux|darwin|macos|posix|wasm|wasi|android|ios)(?=[/_.])/;
const HEADER = /\.(?:h|hh|hpp|hxx)$/;
const IMPLEMENTATION = /\.(?:c|cc|cpp|cxx|m|mm)$/;
/** The first of these that is there speaks for its twins; it is the one most readers run. */
const PLATFORM_ORDER = ["unix", "posix", "linux", "darwin", "macos", "windows", "win32", "win"];

/**
 * Files that are copies of each other for another version or platform share one place: the newer version first, one
 * platform before the others, and a C implementation before its header.
 */
export function findTwins(
  paths: readonly string[],
  question: string,
  weights: RankWeights,
): Map<string, RankStep> {
  const twins = new Map<string, RankStep>();
  const newest = newestVersions(paths);
  const platforms = platformGroups(paths);
  const implementations = new Set(paths.filter((path) => IMPLEMENTATION.test(path)).map(withoutEnding));
  for (const path of paths) {
    if (isOlder(path, newest, question))
      twins.set(path, { step: "olderVersion", factor: weights.olderVersion });
    else if (isOtherPlatform(path, platforms, question))
      twins.set(path, { step: "otherPlatform", factor: weights.otherPlatform });
    else if (HEADER.test(path) && implementations.has(withoutEnding(path)))
      twins.set(path, { step: "header", factor: weights.header });
  }
  return twins;
}

/** The highest `vN` below each directory. */
function newestVersions(paths: readonly string[]): Map<string, number> {
  const newest = new Map<string, number>();
  for (const path of paths) {
    for (const match of path.matchAll(VERSION)) {
      const parent = path.slice(0, match.index);
      newest.set(parent, Math.max(newest.get(parent) ?? 0, Number(match[2])));
    }
  }
  return newest;
}

function isOlder(path: string, newest: ReadonlyMap<string, number>, question: string): boolean {
  for (const match of path.matchAll(VERSION)) {
    const version = Number(match[2]);
    if (new RegExp(`\\bv${version}\\b`, "i").test(question)) return false;
    if ((newest.get(path.slice(0, match.index)) ?? 0) > version) return true;
  }
  return false;
}

/** Platforms by the path with the platform taken out. */
function platformGroups(paths: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const platform = PLATFORM.exec(path)?.[1];
    if (platform === undefined) continue;
    const key = path.replace(PLATFORM, "");
    groups.set(key, [...(groups.get(key) ?? []), platform]);
  }
  return groups;
}

function isOtherPlatform(path: string, groups: ReadonlyMap<string, string[]>, question: string): boolean {
  const platform = PLATFORM.exec(path)?.[1];
  if (platform === undefined || new RegExp(`\\b${platform}`, "i").test(question)) return false;
  const group = groups.get(path.replace(PLATFORM, "")) ?? [];
  return group.length > 1 && PLATFORM_ORDER.find((known) => group.includes(known)) !== platform;
}

const withoutEnding = (path: string): string => path.replace(/\.[^./]*$/, "");
