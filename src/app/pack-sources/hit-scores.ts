import type { SearchHit } from "../../capabilities/code-index/index.ts";
import { fileRoleOf } from "../../capabilities/packs/index.ts";
import { partsOfName } from "../../core/search/rank/question.ts";
import { isProse } from "./text-files.ts";

export interface ScoredHit {
  readonly hit: SearchHit;
  readonly score: number;
  /** The task asks for this symbol by its name. */
  readonly isTarget: boolean;
}

/** At this rank a hit counts half as much as the first. */
const HALF_RANK = 30;
/** How much the file of a hit counts: an edit is often in several functions of the file that is found most. */
const FILE_SHARE = 0.6;
/** A task in so few words that names a function is about it. */
const SHORT_TASK = 12;
/** A name that more functions have does not say which one is meant. */
const MOST_OF_A_NAME = 3;
/** What may be a name, and what is written as only code is: `sendFile`, `send_file`, `Store.get`, `get()`, or between backticks. */
const NAME = /`[^`\s]+`|[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|->|#)[\p{L}_$][\p{L}\p{N}_$]*)*[?!]?(?:\(\))?/gu;
const AS_CODE = /\p{Ll}\p{Lu}|\p{L}_\p{L}|[`#(]|::|->|\p{L}\.\p{L}/u;
/** Beside a function that the task names, only the first other hits are given, and count only so much. */
const MOST_BESIDE_TARGET = 5;
const BESIDE_TARGET = 0.35;

/**
 * By rank, because the relevance of later hits says how sure the search is, not how they compare; and by how much was found
 * in the same file, compared with the source file that has most.
 */
export function scoreHits(hits: readonly SearchHit[], task: string): ScoredHit[] {
  const best = hits[0]?.relevance_score ?? 0;
  const byRank = hits.map((hit) => ({ hit, score: best / (1 + (hit.rank - 1) / HALF_RANK) }));
  const files = new Map<string, number>();
  for (const { hit, score } of byRank) files.set(hit.file.path, (files.get(hit.file.path) ?? 0) + score);
  const most = Math.max(0, ...[...files].filter(([path]) => isSource(path)).map(([, sum]) => sum));
  const sources = hits.filter(({ file }) => isSource(file.path));
  const targets = namedFunctions(sources, task);
  return byRank
    .filter(({ hit }) => targets.size === 0 || targets.has(hit) || hit.rank <= MOST_BESIDE_TARGET)
    .map(({ hit, score }) => {
      if (targets.has(hit)) return { hit, score: best, isTarget: true };
      const found = most === 0 ? 1 : Math.min(1, (files.get(hit.file.path) ?? 0) / most);
      const ofFile = 1 - FILE_SHARE + FILE_SHARE * Math.sqrt(found);
      return { hit, score: score * ofFile * (targets.size > 0 ? BESIDE_TARGET : 1), isTarget: false };
    })
    .sort((a, b) => Number(b.isTarget) - Number(a.isTarget));
}

/** The functions that a short task asks for by their name, if it is clear which are meant; of a type, any member may be. */
function namedFunctions(hits: readonly SearchHit[], task: string): ReadonlySet<SearchHit> {
  if (task.split(/\s+/).length > SHORT_TASK) return new Set();
  const written = (task.match(NAME) ?? []).filter((name) => AS_CODE.test(name));
  const names = written.map((name) => partsOfName(name.replaceAll(/`|\(\)/g, "")));
  const isNamed = ({ name, parent }: SearchHit["symbol"]) =>
    names.some((parts) => parts.at(-1) === name && (parts.length === 1 || parts.at(-2) === parent));
  const found = hits.filter(({ symbol }) => isFunction(symbol) && isNamed(symbol));
  return new Set(found.length > MOST_OF_A_NAME ? [] : found);
}

/** A constructor has the name of its type. */
const isFunction = ({ kind, name, parent }: SearchHit["symbol"]): boolean =>
  kind === "function" || (kind === "method" && name !== parent);

const isSource = (path: string): boolean => fileRoleOf(path) === "source" && !isProse(path);
