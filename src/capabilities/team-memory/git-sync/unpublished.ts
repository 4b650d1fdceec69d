import { existsSync } from "node:fs";
import { join } from "node:path";
import { commitOf } from "../../../core/git/commit.ts";
import { askGit } from "../../../core/git/git.ts";
import { mustGit, type Repository } from "./repository/repository.ts";
import type { Remote } from "./repository/settings.ts";
import { filesAt } from "./repository/store-tree.ts";
import { isSame } from "./sync-context.ts";

/** What a push of the branch would give to the remote. */
export interface Unpublished {
  /** Commits that bring memory along; 0: there is nothing to push. */
  readonly ofStore: number;
  /** Commits of the user's own that would go with them. */
  readonly own: number;
  /** The remote has branches, but not this one. */
  readonly isNewBranch: boolean;
}

const MOST_COMMITS = 2000;

export async function unpublishedTo(repository: Repository, remote: Remote): Promise<Unpublished> {
  const { top, head = "", prefix, isApart } = repository;
  const known = await commitOf(remote.trackingRef, { cwd: top });
  const { stdout } = await mustGit(
    [
      "log",
      `--max-count=${MOST_COMMITS}`,
      "--no-renames",
      "--name-only",
      "-z",
      "--format=%x01",
      head,
      "--not",
      known ?? `--remotes=${remote.name}`,
    ],
    { cwd: top },
  );
  const commits = stdout.toString("utf8").split("\x01").slice(1).map(namesIn);
  const isInStore = (path: string) => path.startsWith(`${prefix}/`);
  const withStore = commits.filter((names) => names.some(isInStore)).length;
  // A merge names no files; it is worth a push where it changed what the store holds.
  const merges = commits.filter((names) => names.length === 0).length;
  const isMerged =
    withStore === 0 && merges > 0 && known !== undefined
      ? !isSame(await filesAt(repository, known), await filesAt(repository, head))
      : false;
  return {
    ofStore: isMerged ? merges : withStore,
    own: isApart ? 0 : commits.filter((names) => names.some((name) => !isInStore(name))).length,
    isNewBranch: known === undefined && !isApart && (await hasBranches(repository, remote)),
  };
}

/** Hooks never run here, so a push that a hook is meant to check is left to the user's own git. */
export const hasPushHook = ({ hooks }: Repository): boolean => existsSync(join(hooks, "pre-push"));

const namesIn = (chunk: string): string[] =>
  chunk
    .split("\0")
    .map((name) => name.replace(/^\n/, ""))
    .filter((name) => name !== "");

async function hasBranches({ top }: Repository, { name }: Remote): Promise<boolean> {
  const found = await askGit(["for-each-ref", "--count=1", `refs/remotes/${name}/`], { cwd: top });
  return (found ?? "").trim() !== "";
}
