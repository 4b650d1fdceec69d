import type { Renumbered } from "../merge/renumber.ts";
import type { FileIds, MergedContent, MergedStore } from "../merge/store-merge.ts";
import { commitChanges } from "../store/transaction.ts";
import { describeChanges } from "./commit-message.ts";
import { settleNumbers } from "./decision-numbers.ts";
import { awaitIndex, makeCommit, moveBranch, updateIndex } from "./repository/commit.ts";
import { checkWorkTree, followWorkTree, mergeOutside } from "./repository/outside-store.ts";
import type { Repository } from "./repository/repository.ts";
import { blobId, filesAt, readContents, writeBlobs, writeTree } from "./repository/store-tree.ts";
import { isSame, type Standing, type SyncDesk } from "./sync-context.ts";
import { refuseClashes, writablePaths } from "./writable-paths.ts";

export interface Landed {
  readonly commit: string;
  readonly warnings: readonly string[];
}

export interface Arrived extends Landed {
  /** Decisions that got another number on the way. */
  readonly renumbered: readonly Renumbered[];
}

/** Commits what is on disk, if it differs from the branch. Nothing on disk changes. */
export async function commitDisk(
  desk: SyncDesk,
  standing: Standing,
  message = "",
): Promise<Landed | undefined> {
  const { repository, disk, committed } = standing;
  if (isSame(disk.ids, committed)) return undefined;
  await awaitIndex(repository);
  const made = await makeDiskCommit(desk, standing, message);
  await updateIndex(repository, disk.ids);
  await moveBranch(repository, made.id, "push");
  return { commit: made.id, warnings: made.warnings };
}

async function makeDiskCommit(desk: SyncDesk, { repository, disk, committed }: Standing, message = "") {
  const fresh = [...disk.ids]
    .filter(([path, id]) => committed.get(path) !== id)
    .flatMap(([path]) => disk.read(path) ?? []);
  await writeBlobs(repository, fresh);
  const tree = await writeTree(repository, repository.head, disk.ids);
  const parents = repository.head === undefined ? [] : [repository.head];
  return makeCommit(repository, {
    tree,
    parents,
    message: message.trim() || describeChanges(committed, disk.ids),
    actor: desk.actor,
  });
}

export interface Arrival {
  readonly theirs: string;
  readonly base: string | undefined;
  readonly merged: MergedStore;
  readonly message: string;
}

/**
 * Brings a merge in: the store's files, the index, the rest of the work tree, the branch, in this order. Killed
 * anywhere in between, the next sync finds the merged text as a local edit and merges it again to the same result.
 */
export async function land(
  desk: SyncDesk,
  standing: Standing,
  { theirs, base, merged, message }: Arrival,
): Promise<Arrived> {
  const { repository, disk, committed } = standing;
  await awaitIndex(repository);
  const outside = await mergeOutside(repository, base, theirs);
  const texts = new Map<string, string | Uint8Array>();
  const result: FileIds = new Map(
    [...merged.files].map(([path, content]) => [path, idOf(repository, content, texts)]),
  );
  refuseClashes(result);
  const { directory } = desk.place;
  const paths = writablePaths(repository, directory, { disk, result, scopes: desk.scopes() });
  await writeBlobs(repository, [...texts.values()]);
  const isForward =
    base === repository.head &&
    isSame(disk.ids, committed) &&
    isSame(result, await filesAt(repository, theirs));
  const ours = isSame(disk.ids, committed) ? undefined : await makeDiskCommit(desk, standing);
  const parents = [ours?.id ?? repository.head, theirs].filter((parent) => parent !== undefined);
  const tree = await writeTree(repository, outside.tree, result);
  await checkWorkTree(repository, outside, () => writeTree(repository, outside.tree, committed));
  const made = isForward
    ? { id: theirs, warnings: [] }
    : await makeCommit(repository, { tree, parents, message, actor: desk.actor });
  await commitChanges(directory, await diskChanges(repository, paths, { result, texts }));
  await updateIndex(repository, result);
  await followWorkTree(repository, outside, tree);
  await moveBranch(repository, made.id, "pull");
  const moved = await settleNumbers(directory, desk.scopes(), result);
  return {
    commit: made.id,
    warnings: ours?.warnings ?? made.warnings,
    renumbered: [...standing.renumbered, ...merged.renumbered, ...moved],
  };
}

function idOf(
  repository: Repository,
  content: MergedContent,
  texts: Map<string, string | Uint8Array>,
): string {
  if ("id" in content) return content.id;
  const id = blobId(repository, content.text);
  texts.set(id, content.text);
  return id;
}

async function diskChanges(
  repository: Repository,
  paths: readonly string[],
  { result, texts }: { result: FileIds; texts: ReadonlyMap<string, string | Uint8Array> },
) {
  const wanted = paths.flatMap((path) => result.get(path) ?? []).filter((id) => !texts.has(id));
  const stored = await readContents(repository, wanted);
  return paths.map((path) => {
    const id = result.get(path);
    return { path, content: id === undefined ? undefined : (texts.get(id) ?? stored.get(id)) };
  });
}
