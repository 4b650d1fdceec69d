import { z } from "zod";
import { DomainError } from "../../../../core/errors.ts";
import { type GitOptions, runGit } from "../../../../core/git/git.ts";

const FileCommit = z.object({
  commit: z.string(),
  author: z.string(),
  time: z.number().describe("Seconds since 1970"),
});
/** The commits that touched a file last and first. */
export const FileHistory = z.object({ last: FileCommit, first: FileCommit });
export type FileHistory = z.output<typeof FileHistory>;

const HISTORY_DEADLINE_MS = 300_000;

/**
 * First and last commit of every path below `root` up to `tip`, by one walk over real history. Where a history is too
 * long to be read, nothing: then the branch's own last commit has to do.
 */
export async function readHistory(
  tip: string,
  root: string,
  options: GitOptions,
): Promise<ReadonlyMap<string, FileHistory>> {
  // -c lists what a merge itself changed, and nothing of what it only brought in. Renames are deletions and additions here.
  const format = "--format=%x01%H%x00%an%x00%ct%x00";
  const args = ["log", "-c", "--root", "--name-only", "-z", "--no-renames", "--no-color", format, tip, "--"];
  const paths = root === "" ? [] : [root];
  const told = await runGit([...args, ...paths], { ...options, timeoutMs: HISTORY_DEADLINE_MS }).catch(
    (thrown: unknown) => {
      if (thrown instanceof DomainError) return undefined;
      throw thrown;
    },
  );
  return told?.code === 0 ? parseHistory(told.stdout.toString("utf8")) : new Map();
}

function parseHistory(output: string): ReadonlyMap<string, FileHistory> {
  const history = new Map<string, FileHistory>();
  for (const record of output.split("\u0001")) {
    const [commit, author = "", time, ...paths] = record.split("\0");
    if (commit === undefined || commit === "") continue;
    const entry = { commit, author, time: Number(time) };
    for (const raw of paths) {
      const path = raw.replace(/^\n+/, "");
      // The newest commit comes first.
      if (path !== "") history.set(path, { last: history.get(path)?.last ?? entry, first: entry });
    }
  }
  return history;
}
