import { lstatSync } from "node:fs";
import { byCodeUnit } from "../order.ts";
import { listedByGit } from "./git-files.ts";
import { walk } from "./walk.ts";

/** One regular file of a project. Links are never followed, so none is listed. */
export interface ScannedFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Moves with every change of content, also where somebody sets the other time back. */
  readonly ctimeMs: number;
}

export interface Survey {
  readonly files: ScannedFile[];
  /** Directories that are git repositories of their own, submodules among them: git lists nothing below them. */
  readonly repositories: string[];
}

/** The files of a project by gitignore semantics, sorted by code unit: git's own list where there is git, else a walk. */
export const scanProject = async (root: string, signal?: AbortSignal): Promise<ScannedFile[]> =>
  (await surveyProject(root, signal)).files;

/** The files as `scanProject` lists them, and what it leaves to others. */
export async function surveyProject(root: string, signal?: AbortSignal): Promise<Survey> {
  const paths = (await listedByGit(root, signal)) ?? (await walk(root, signal));
  const isReal = realDirectories(root);
  const files: ScannedFile[] = [];
  const repositories: string[] = [];
  for (const path of paths.sort(byCodeUnit)) {
    if (!isReal(path)) continue;
    const stat = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
    if (stat?.isDirectory() && isRepository(`${root}/${path}`)) repositories.push(path.replace(/\/$/, ""));
    if (!stat?.isFile()) continue;
    const { size, mtimeMs, ctimeMs } = stat;
    files.push({ path, size, mtimeMs, ctimeMs });
  }
  return { files, repositories };
}

/** A submodule that was not fetched is an empty directory. */
const isRepository = (directory: string) =>
  lstatSync(`${directory}/.git`, { throwIfNoEntry: false }) !== undefined;

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
