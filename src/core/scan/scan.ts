import { lstatSync } from "node:fs";
import { byCodeUnit } from "../order.ts";
import { filesOfGit } from "./git-files.ts";
import { walk } from "./walk.ts";

/** One regular file of a project. Links are never followed, so none is listed. */
export interface ScannedFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** The files of a project by gitignore semantics, sorted by code unit: git's own list where there is git, else a walk. */
export async function scanProject(root: string, signal?: AbortSignal): Promise<ScannedFile[]> {
  const paths = (await filesOfGit(root, signal)) ?? (await walk(root, signal));
  const isReal = realDirectories(root);
  const files: ScannedFile[] = [];
  for (const path of paths.sort(byCodeUnit)) {
    if (!isReal(path)) continue;
    const stat = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
    if (stat?.isFile()) files.push({ path, size: stat.size, mtimeMs: stat.mtimeMs });
  }
  return files;
}

/** Git may track a path whose directory has since become a link, even one that leads out: such a file is not there. */
function realDirectories(root: string): (path: string) => boolean {
  const known = new Map<string, boolean>([["", true]]);
  const isReal = (directory: string): boolean => {
    const before = known.get(directory);
    if (before !== undefined) return before;
    const answer =
      isReal(parentOf(directory)) &&
      lstatSync(`${root}/${directory}`, { throwIfNoEntry: false })?.isDirectory() === true;
    known.set(directory, answer);
    return answer;
  };
  return (path) => isReal(parentOf(path));
}

const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));
