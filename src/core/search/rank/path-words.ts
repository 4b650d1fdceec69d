import { kindsOf, type PathKind } from "../../files/path-kinds.ts";
import { LruCache } from "../../lru-cache.ts";
import { plainName } from "../text/names.ts";
import { partsOf } from "../text/terms.ts";
import type { RankQuestion } from "./question.ts";
import type { RankWeights } from "./weights.ts";

/** Files that are named by their directory: `extract/mod.rs` is about extracting. */
const NAMED_BY_DIRECTORY = /^(?:mod|index|__init__|init|lib|main)$/;
const LEAST_ALIKE = 3;
const LEAST_COMMON = 4;
const COMMON_SHARE = 0.5;

/** What a path is called: the parts of its file name and of the directory above. */
export interface PathName {
  /** As plain names. */
  readonly stem: string;
  /** The file name without its last ending only: `SqlMapper.Async` of `SqlMapper.Async.cs`. */
  readonly fullStem: string;
  readonly directory: string;
  readonly stemParts: readonly string[];
  readonly directoryParts: readonly string[];
  readonly isNamedByDirectory: boolean;
  readonly kinds: readonly PathKind[];
  /** How many names it has. */
  readonly depth: number;
}

/** Searches of a project find the same paths again and again. */
const recentNames = new LruCache<PathName>(4_096);
export const pathNameOf = (path: string): PathName => recentNames.of(path, () => readPathName(path));

function readPathName(path: string): PathName {
  const segments = path.split("/");
  const file = segments.at(-1) ?? "";
  const stem = file.replace(/(.)\..*$/, "$1");
  const directory = segments.at(-2) ?? "";
  return {
    stem: plainName(stem),
    fullStem: plainName(file.replace(/(.)\.[^.]*$/, "$1")),
    directory: plainName(directory),
    stemParts: partsWithWhole(stem),
    directoryParts: partsWithWhole(directory),
    isNamedByDirectory: NAMED_BY_DIRECTORY.test(stem),
    kinds: kindsOf(path),
    depth: segments.length,
  };
}

/** Bonus for words of the question in the file name and in the directory above it. */
export function pathWordsBonus(name: PathName, question: RankQuestion, weights: RankWeights): number {
  const { words, isName } = question;
  if (words.length === 0) return 0;
  let inPath = 0;
  for (const word of words) if (isAmong(word, name.stemParts) || isAmong(word, name.directoryParts)) inPath++;
  const share = inPath / words.length;
  if (isName) return weights.pathWordsOfName * share;
  const parts = name.isNamedByDirectory ? name.directoryParts : name.stemParts;
  // Without the whole, if there are parts.
  const first = parts.length > 1 ? 1 : 0;
  let covered = 0;
  for (let at = first; at < parts.length; at++) if (isAmong(parts[at] ?? "", words)) covered++;
  return weights.pathWords * share + weights.pathCover * (covered / Math.max(1, parts.length - first));
}

const partsWithWhole = (name: string): string[] => [
  ...new Set([name.toLowerCase(), ...partsOf(name).filter((part) => /[\p{L}\p{N}]/u.test(part))]),
];

function isAmong(word: string, parts: readonly string[]): boolean {
  for (const part of parts) if (isAlike(word, part)) return true;
  return false;
}

/** One begins with the other, or they share half: `routing` and `router`, `utility` and `utils`. */
export function isAlike(a: string, b: string): boolean {
  if (a === b) return true;
  const shorter = Math.min(a.length, b.length);
  if (shorter < LEAST_ALIKE) return false;
  let common = 0;
  while (common < shorter && a.charCodeAt(common) === b.charCodeAt(common)) common++;
  return (
    common === shorter || (common >= LEAST_COMMON && common >= COMMON_SHARE * Math.max(a.length, b.length))
  );
}
