import { existsSync } from "node:fs";
import { join } from "node:path";
import { commitOf } from "../../../core/git/commit.ts";
import { askGit } from "../../../core/git/git.ts";
import { mustGit, type SyncRepository } from "./repository/repository.ts";
import type { SyncRemote } from "./repository/settings.ts";
import { filesAt, sameFiles } from "./repository/store-tree.ts";

/** What a push of the branch would publish. */
export interface Unpublished {
  /** Commits that change the store. 0: there is nothing to push. */
  readonly ofStore: number;
  /** Commits of the user that would be published with them. */
  readonly own: number;
  /** The remote has other branches, but not this one. */
  readonly isNewBranch: boolean;
}

const MAX_COMMITS = 2000;
/** How the message of a sync's merge begins. */
const MERGE_SUBJECT = "ctx: merge ";

export async function findUnpublished(repository: SyncRepository, remote: SyncRemote): Promise<Unpublished> {
  const { top, head = "", prefix, onOwnBranch } = repository;
  const known = await commitOf(remote.trackingRef, { cwd: top });
  const { stdout } = await mustGit(
    [
      "log",
      `--max-count=${MAX_COMMITS}`,
      "--no-renames",
      "--name-only",
      "-z",
      "--format=%x01%P%x02%s%x02",
      head,
      "--not",
      known ?? `--remotes=${remote.name}`,
    ],
    { cwd: top },
  );
  const commits = stdout.toString("utf8").split("\x01").slice(1).map(readCommit);
  const isInStore = (path: string) => path.startsWith(`${prefix}/`);
  const withStore = commits.filter(({ names }) => names.some(isInStore)).length;
  // git log names no files for a merge. A merge is pushed if it changed the store.
  const merges = commits.filter(({ names }) => names.length === 0).length;
  const isMerged =
    withStore === 0 && merges > 0 && known !== undefined
      ? !sameFiles(await filesAt(repository, known), await filesAt(repository, head))
      : false;
  return {
    ofStore: isMerged ? merges : withStore,
    own: onOwnBranch
      ? 0
      : commits.filter(
          ({ names, isOurMerge }) => !isOurMerge && !(names.length > 0 && names.every(isInStore)),
        ).length,
    isNewBranch: known === undefined && !onOwnBranch && (await hasBranches(repository, remote)),
  };
}

/** We never run hooks, so the user must push if a hook checks pushes. */
export const hasPushHook = ({ hooks }: SyncRepository): boolean => existsSync(join(hooks, "pre-push"));

/** A commit without names is a merge or an empty commit of the user, unless it is a merge that a sync made. */
function readCommit(chunk: string): { readonly names: readonly string[]; readonly isOurMerge: boolean } {
  const [parents = "", subject = "", files = ""] = chunk.split("\x02");
  return {
    names: files
      .split("\0")
      .map((name) => name.replace(/^\n/, ""))
      .filter((name) => name !== ""),
    isOurMerge: parents.includes(" ") && subject.startsWith(MERGE_SUBJECT),
  };
}

async function hasBranches({ top }: SyncRepository, { name }: SyncRemote): Promise<boolean> {
  const found = await askGit(["for-each-ref", "--count=1", `refs/remotes/${name}/`], { cwd: top });
  return (found ?? "").trim() !== "";
}
