import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { join, resolve } from "node:path";
import { lstatReachable, READ_SAFELY } from "../../../core/files/opened-path.ts";
import { askGit } from "../../../core/git/git.ts";
import { sha256 } from "../../../core/hash.ts";

/** If more files differ from git's index, the run compares all files as usual. */
const MAX_DIRTY = 5_000;
/** A file changed this shortly before we looked may change again within the same tick of its clock. */
const RACY_MS = 2_000;
const TRAILER_BYTES = 20;

/** What git says of a work tree. */
export interface GitState {
  /** Size, time and checksum of git's index. */
  readonly index: string;
  /** The files that differ from the index or are not in it. */
  readonly dirty: readonly string[];
}

/** Git compares thousands of files in the time we take for hundreds. `undefined` if there is no repository at the root. */
export async function readGitState(root: string, signal: AbortSignal): Promise<GitState | undefined> {
  const index = indexIdentity(join(gitDirectory(root), "index"));
  if (index === undefined) return undefined;
  const listed = await askGit(["ls-files", "-z", "-m", "-o", "--exclude-standard"], { cwd: root, signal });
  if (listed === undefined) return undefined;
  const dirty = listed.split("\0").filter((path) => path !== "");
  return dirty.length > MAX_DIRTY ? undefined : { index, dirty };
}

/**
 * A hash that stays the same until something in a git work tree changes. It covers git's index, and size and time of every
 * file that differs from it. `undefined` if a change is too recent to tell from the next one.
 */
export function treeStateOf(root: string, { index, dirty }: GitState, now: number): string | undefined {
  const lines: string[] = [index];
  for (const path of dirty) {
    const stat = lstatReachable(join(root, path));
    if (stat && isRacy(stat.ctimeMs, now)) return undefined;
    lines.push(`${path}\0${stat?.size}\0${stat?.ctimeMs}\0${stat?.mode}`);
  }
  return sha256(lines.join("\n"));
}

/** The time of a file that may still change unnoticed must not be trusted. */
export const isRacy = (ctimeMs: number, lookedAt: number): boolean => ctimeMs >= lookedAt - RACY_MS;

/** In a linked work tree `.git` is a file that names the directory. */
export function gitDirectory(root: string): string {
  const path = join(root, ".git");
  if (!lstatReachable(path)?.isFile()) return path;
  const named = /^gitdir: (.+)$/m.exec(readFileSync(path, "utf8"))?.[1];
  return named === undefined ? path : resolve(root, named.trim());
}

/** Git's index ends with a checksum of its content. */
function indexIdentity(file: string): string | undefined {
  try {
    // A repository may have anything under this name, such as a FIFO that nobody writes to.
    const handle = openSync(file, READ_SAFELY);
    try {
      const stat = fstatSync(handle);
      if (!stat.isFile()) return undefined;
      const { size, mtimeMs } = stat;
      const trailer = Buffer.alloc(TRAILER_BYTES);
      readSync(handle, trailer, 0, TRAILER_BYTES, Math.max(0, size - TRAILER_BYTES));
      return `${size} ${mtimeMs} ${trailer.toString("hex")}`;
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
}
