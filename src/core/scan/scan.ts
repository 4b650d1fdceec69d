import { lstatSync } from "node:fs";
import { join } from "node:path";
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
  const files: ScannedFile[] = [];
  for (const path of paths) {
    const stat = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (stat?.isFile()) files.push({ path, size: stat.size, mtimeMs: stat.mtimeMs });
  }
  return files.sort((a, b) => byCodeUnit(a.path, b.path));
}
