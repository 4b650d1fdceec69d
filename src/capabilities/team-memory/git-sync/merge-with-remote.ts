import { askGit } from "../../../core/git/git.ts";
import type { Preference } from "../merge/line-merge.ts";
import { type MergedStore, mergeStores } from "../merge/store-merge.ts";
import { type Repository, refused } from "./repository/repository.ts";
import { filesAt, readContents } from "./repository/store-tree.ts";
import type { Standing } from "./sync-context.ts";

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
  const base = await commonCommit(repository, theirs);
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

/** True where the remote's commit is already part of ours. */
export const isPartOf = async (top: string, theirs: string, head: string | undefined): Promise<boolean> =>
  head !== undefined &&
  (await askGit(["merge-base", "--is-ancestor", theirs, head], { cwd: top })) !== undefined;

/** Where our history and theirs part. Two clones may both have begun a branch of the memory's own: then nowhere. */
async function commonCommit({ top, head, isApart }: Repository, theirs: string): Promise<string | undefined> {
  if (head === undefined) return undefined;
  const base = (await askGit(["merge-base", head, theirs], { cwd: top }))?.trim();
  if (base !== undefined) return base;
  const isShallow = (await askGit(["rev-parse", "--is-shallow-repository"], { cwd: top }))?.trim() === "true";
  if (isShallow)
    throw refused("This clone is too shallow to merge. Run git fetch --unshallow, then sync again.");
  if (isApart) return undefined;
  throw refused(
    "This branch and the remote's began apart. Run git pull --allow-unrelated-histories, then sync again.",
  );
}
