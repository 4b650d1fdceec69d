import { mustGit, type Repository } from "./repository.ts";

/** What git's index says of one file of the store. */
export interface IndexRow {
  /** Within the store. */
  readonly path: string;
  readonly id: string;
  /** Left out of the work tree on purpose, as in a sparse checkout. */
  readonly isSkipped: boolean;
  /** Conflicts of a merge or a stash of git's own are not settled yet. */
  readonly isUnmerged: boolean;
}

export async function indexRows({ top, prefix }: Repository): Promise<IndexRow[]> {
  const { stdout } = await mustGit(["ls-files", "-z", "-t", "-s", "--", `${prefix}/`], { cwd: top });
  return stdout
    .toString("utf8")
    .split("\0")
    .flatMap((row) => {
      const match = /^(\S) \d+ ([0-9a-f]+) (\d)\t(.*)$/s.exec(row);
      if (match === null) return [];
      const [, tag, id = "", stage, path = ""] = match;
      return [{ path: path.slice(prefix.length + 1), id, isSkipped: tag === "S", isUnmerged: stage !== "0" }];
    });
}
