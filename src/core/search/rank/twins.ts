import type { RankStep } from "./candidate.ts";
import type { RankWeights } from "./weights.ts";

const VERSION = /(^|\/)v(\d{1,3})\//g;
const ANY_VERSION = new RegExp(VERSION.source);
const HEADER = /\.(?:h|hh|hpp|hxx)$/;
const IMPLEMENTATION = /\.(?:c|cc|cpp|cxx|m|mm)$/;

/** Files that are copies of each other share one place: the newer version first, and a C implementation before its header. */
export function findTwins(
  paths: readonly string[],
  question: string,
  weights: RankWeights,
): Map<string, RankStep> {
  const twins = new Map<string, RankStep>();
  const versioned = new Set(paths.filter((path) => ANY_VERSION.test(path)));
  const newest = newestVersions(versioned);
  const implementations = new Set(paths.filter((path) => IMPLEMENTATION.test(path)).map(withoutEnding));
  for (const path of paths) {
    if (versioned.has(path) && isOlder(path, newest, question))
      twins.set(path, { step: "olderVersion", factor: weights.olderVersion });
    else if (HEADER.test(path) && implementations.has(withoutEnding(path)))
      twins.set(path, { step: "header", factor: weights.header });
  }
  return twins;
}

/** The highest `vN` below each directory. */
function newestVersions(paths: Iterable<string>): Map<string, number> {
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

const withoutEnding = (path: string): string => path.replace(/\.[^./]*$/, "");
