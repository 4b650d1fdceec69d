import { askGit } from "../../../core/git/git.ts";
import type { Preference } from "../merge/line-merge.ts";
import { type MergedStore, mergeStores } from "../merge/store-merge.ts";
import type { Standing } from "./desk.ts";
import { refused } from "./repository.ts";
import { filesAt, readBlob } from "./store-tree.ts";

export interface Meeting {
  readonly base: string | undefined;
  readonly merged: MergedStore;
}

/** Merges the store on disk with the store in a commit of the remote's, in memory. */
export async function meet(
  { repository, disk, committed }: Standing,
  theirs: string,
  preference: Preference,
): Promise<Meeting> {
  const { top, head } = repository;
  const base =
    head === undefined ? undefined : (await askGit(["merge-base", head, theirs], { cwd: top }))?.trim();
  if (head !== undefined && base === undefined) {
    throw refused(
      "Our history and the remote's have no common commit here. In a shallow clone run git fetch --unshallow, then sync again.",
    );
  }
  const byId = new Map([...disk.ids].map(([path, id]) => [id, path]));
  const stored = new Set(committed.values());
  const read = async (id: string) => {
    const path = byId.get(id);
    return (
      path !== undefined && !stored.has(id) ? disk.read(path) : await readBlob(repository, id)
    ).toString("utf8");
  };
  const versions = {
    base: await filesAt(repository, base),
    ours: disk.ids,
    theirs: await filesAt(repository, theirs),
  };
  return { base, merged: await mergeStores(versions, preference, read) };
}

/** True where the remote's commit is already part of ours. */
export const isPartOf = async (top: string, theirs: string, head: string | undefined): Promise<boolean> =>
  head !== undefined &&
  (await askGit(["merge-base", "--is-ancestor", theirs, head], { cwd: top })) !== undefined;
