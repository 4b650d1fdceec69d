import { join } from "node:path";
import { z } from "zod";
import { lstatReachable } from "../../../core/files/opened-path.ts";
import { byCodeUnit } from "../../../core/order.ts";
import { languageOf } from "../../../core/parse/source-files.ts";
import { type CodeStore, readMetadata } from "../store/code-store.ts";
import { knownFiles, skippedFiles, unsettledPaths } from "../store/stored-files.ts";
import type { IndexedState } from "./plan.ts";
import type { GitState } from "./tree-state.ts";

/** Files that may differ from the index. No other file can. */
export interface ChangedPaths extends IndexedState {
  readonly paths: readonly string[];
  /** How many source files of the project are not among them. */
  readonly otherSources: number;
}

const StoredState = z.object({ index: z.string(), dirty: z.array(z.string()) });
/** If more files may have changed, listing all of them takes no longer. */
const MAX_PATHS = 1_000;
/** Files that decide about others: the name of a module, and directories that are repositories. */
const DECIDES_FOR_OTHERS = /(?:^|\/)go\.mod$|^package\.json$|\/$/;

/** What the next run needs to look at changed files only; empty if it must look at all. */
export const packGitState = (state: GitState | undefined): string =>
  state === undefined || state.dirty.length > MAX_PATHS ? "" : JSON.stringify(state);

/**
 * The files that may have changed since the last run, if git can tell; else `undefined`. While git's index stays the same, a file
 * that equals its entry before and now has not changed.
 */
export function changedPaths(code: CodeStore, root: string, now: GitState): ChangedPaths | undefined {
  const { git_state: packed = "", source_files: sources } = readMetadata(code);
  const before = packed === "" ? undefined : StoredState.parse(JSON.parse(packed));
  if (before?.index !== now.index) return undefined;
  const dirty = new Set(now.dirty);
  // It equals its entry again, or git ignores it now. Only a list of all files tells which.
  if (before.dirty.some((path) => !dirty.has(path) && lstatReachable(join(root, path)))) return undefined;
  const paths = [...new Set([...before.dirty, ...dirty, ...unsettledPaths(code)])].sort(byCodeUnit);
  if (paths.length > MAX_PATHS || paths.some((path) => DECIDES_FOR_OTHERS.test(path))) return undefined;
  const known = knownFiles(code, paths);
  const skipped = skippedFiles(code, paths);
  const indexed = [...known.values()].filter(({ language }) => language !== "").length;
  const leftOut = [...skipped.keys()].filter((path) => languageOf(path) !== undefined).length;
  return { paths, known, skipped, otherSources: Number(sources) - indexed - leftOut };
}
