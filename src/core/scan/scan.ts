import { lstatReachable } from "../files/opened-path.ts";
import { byCodeUnit } from "../order.ts";
import { listedByGit } from "./git-files.ts";
import { walk } from "./walk.ts";

/** One regular file of a project. Links are neither followed nor listed. */
export interface ScannedFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Changes with every change of content, even if somebody resets `mtimeMs`. */
  readonly ctimeMs: number;
}

interface ScannedProject {
  readonly files: ScannedFile[];
  /** Directories that are git repositories of their own, such as submodules: git lists nothing below them. */
  readonly repositories: string[];
}

/** The files of a project that are not ignored, sorted by code unit: git's own list in a repository, else a walk. */
export const scanProject = async (root: string, signal?: AbortSignal): Promise<ScannedFile[]> =>
  (await surveyProject(root, signal)).files;

/** The files that `scanProject` lists, and the nested repositories that it skips; with `known` paths, nothing is listed. */
export async function surveyProject(
  root: string,
  signal?: AbortSignal,
  known?: readonly string[],
): Promise<ScannedProject> {
  const paths = known ? [...known] : ((await listedByGit(root, signal)) ?? (await walk(root, signal)));
  const isReal = realDirectories(root);
  const files: ScannedFile[] = [];
  const repositories: string[] = [];
  for (const path of paths.sort(byCodeUnit)) {
    if (!isReal(path)) continue;
    const stat = lstatReachable(`${root}/${path}`);
    if (stat?.isDirectory() && isRepository(`${root}/${path}`)) repositories.push(path.replace(/\/$/, ""));
    if (!stat?.isFile()) continue;
    const { size, mtimeMs, ctimeMs } = stat;
    files.push({ path, size, mtimeMs, ctimeMs });
  }
  return { files, repositories };
}

/** An unfetched submodule is an empty directory, not a repository. */
const isRepository = (directory: string) => lstatReachable(`${directory}/.git`) !== undefined;

/** Git may track a path whose directory has become a link, even out of the project: such a file is skipped. */
function realDirectories(root: string): (path: string) => boolean {
  const known = new Map<string, boolean>([["", true]]);
  const isReal = (directory: string): boolean => {
    const before = known.get(directory);
    if (before !== undefined) return before;
    const answer =
      isReal(parentOf(directory)) && lstatReachable(`${root}/${directory}`)?.isDirectory() === true;
    known.set(directory, answer);
    return answer;
  };
  return (path) => isReal(parentOf(path));
}

const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));
