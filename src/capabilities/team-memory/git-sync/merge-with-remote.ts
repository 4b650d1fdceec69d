import { askGit } from "../../../core/git/git.ts";
import type { Preference } from "../merge/line-merge.ts";
import { type MergedStore, mergeStores } from "../merge/store-merge.ts";
import { refused, type SyncRepository } from "./repository/repository.ts";
import { filesAt, readContents } from "./repository/store-tree.ts";
import type { SyncState } from "./sync-context.ts";

export interface RemoteMerge {
  /** The common ancestor, if there is one. */
  readonly base: string | undefined;
  readonly merged: MergedStore;
}

/** Merges the store on disk with the store of a remote commit, in memory. */
export async function mergeWithRemote(
  { repository, disk, committed }: SyncState,
  theirs: string,
  preference: Preference,
): Promise<RemoteMerge> {
  const base = await commonAncestor(repository, theirs);
  const stored = new Set(committed.values());
  const onDisk = new Map([...disk.ids].filter(([, id]) => !stored.has(id)).map(([path, id]) => [id, path]));
  const read = async (ids: readonly string[]) => {
    const contents = new Map(
      await readContents(
        repository,
        ids.filter((id) => !onDisk.has(id)),
      ),
    );
    for (const id of ids) {
      const bytes = disk.read(onDisk.get(id) ?? "");
      if (bytes !== undefined) contents.set(id, bytes);
    }
    return contents;
  };
  const [before, incoming] = await Promise.all([filesAt(repository, base), filesAt(repository, theirs)]);
  const versions = { base: before, ours: disk.ids, theirs: incoming };
  return { base, merged: await mergeStores(versions, preference, read) };
}

/** True if the remote's commit is already part of our branch. */
export const isMergedAlready = async ({ top, head }: SyncRepository, theirs: string): Promise<boolean> =>
  head !== undefined &&
  (await askGit(["merge-base", "--is-ancestor", theirs, head], { cwd: top })) !== undefined;

/** None if two clones have both started the store's own branch. */
async function commonAncestor(
  { top, head, onOwnBranch }: SyncRepository,
  theirs: string,
): Promise<string | undefined> {
  if (head === undefined) return undefined;
  const base = (await askGit(["merge-base", head, theirs], { cwd: top }))?.trim();
  if (base !== undefined) return base;
  const isShallow = (await askGit(["rev-parse", "--is-shallow-repository"], { cwd: top }))?.trim() === "true";
  if (isShallow)
    throw refused("This clone is too shallow to merge. Run git fetch --unshallow, then sync again.");
  if (onOwnBranch) return undefined;
  throw refused(
    "This branch and the remote's have no common commit. Run git pull --allow-unrelated-histories, then sync again.",
  );
}
