import type { Renumbered } from "../merge/renumber.ts";
import type { FileIds, MergedContent, MergedStore } from "../merge/store-merge.ts";
import { commitChanges } from "../store/transaction.ts";
import { renumberDuplicates } from "./decision-numbers.ts";
import {
  type CreatedCommit,
  createCommit,
  moveBranch,
  updateIndex,
  waitForIndex,
} from "./repository/commit.ts";
import { describeChanges } from "./repository/commit-message.ts";
import { checkWorkTree, mergeOutside, updateWorkTree } from "./repository/outside-store.ts";
import type { SyncRepository } from "./repository/repository.ts";
import { blobId, filesAt, readContents, sameFiles, writeBlobs, writeTree } from "./repository/store-tree.ts";
import type { SyncContext, SyncState } from "./sync-context.ts";
import { refuseClashes, writablePaths } from "./writable-paths.ts";

interface AppliedMerge extends CreatedCommit {
  /** Decisions that got another number. */
  readonly renumbered: readonly Renumbered[];
}
interface MergeToApply {
  readonly theirs: string;
  readonly base: string | undefined;
  readonly merged: MergedStore;
  readonly message: string;
}

/** Commits the store on disk if it differs from the branch. Does not change any file. */
export async function commitDisk(
  context: SyncContext,
  state: SyncState,
  message = "",
): Promise<CreatedCommit | undefined> {
  const { repository, disk, committed } = state;
  if (sameFiles(disk.ids, committed)) return undefined;
  await waitForIndex(repository);
  const commit = await createDiskCommit(context, state, message);
  await updateIndex(repository, disk.ids);
  await moveBranch(repository, commit.id, "push");
  return commit;
}

/**
 * Applies a merge: the store's files, the index, the rest of the work tree, the branch, in this order. If the process
 * is killed in between, the next sync sees the merged text as a local edit and merges it again with the same result.
 */
export async function applyMerge(
  context: SyncContext,
  state: SyncState,
  { theirs, base, merged, message }: MergeToApply,
): Promise<AppliedMerge> {
  const { repository, disk, committed } = state;
  const { directory } = context.place;
  await waitForIndex(repository);
  const outside = await mergeOutside(repository, base, theirs);
  const texts = new Map<string, string | Uint8Array>();
  const result: FileIds = new Map(
    [...merged.files].map(([path, content]) => [path, idOf(repository, content, texts)]),
  );
  refuseClashes(result);
  const paths = writablePaths(repository, directory, { disk, result, scopes: context.scopes() });
  await writeBlobs(repository, [...texts.values()]);
  const isClean = sameFiles(disk.ids, committed);
  const isForward =
    base === repository.head && isClean && sameFiles(result, await filesAt(repository, theirs));
  const ours = isClean ? undefined : await createDiskCommit(context, state);
  const parents = [ours?.id ?? repository.head, theirs].filter((parent) => parent !== undefined);
  const tree = await writeTree(repository, outside.tree, result);
  await checkWorkTree(repository, outside, () => writeTree(repository, outside.tree, committed));
  const commit = isForward
    ? { id: theirs, warnings: [] }
    : await createCommit(repository, { tree, parents, message, actor: context.actor });
  await commitChanges(directory, await diskChanges(repository, paths, { result, texts }));
  await updateIndex(repository, result);
  await updateWorkTree(repository, outside, tree);
  await moveBranch(repository, commit.id, "pull");
  const moved = await renumberDuplicates(directory, context.scopes(), result);
  return {
    id: commit.id,
    warnings: ours?.warnings ?? commit.warnings,
    renumbered: [...state.renumbered, ...merged.renumbered, ...moved],
  };
}

async function createDiskCommit(
  context: SyncContext,
  { repository, disk, committed }: SyncState,
  message = "",
): Promise<CreatedCommit> {
  const changed = [...disk.ids]
    .filter(([path, id]) => committed.get(path) !== id)
    .flatMap(([path]) => disk.read(path) ?? []);
  await writeBlobs(repository, changed);
  return createCommit(repository, {
    tree: await writeTree(repository, repository.head, disk.ids),
    parents: repository.head === undefined ? [] : [repository.head],
    message: message.trim() || describeChanges(committed, disk.ids),
    actor: context.actor,
  });
}

function idOf(
  repository: SyncRepository,
  content: MergedContent,
  texts: Map<string, string | Uint8Array>,
): string {
  if ("id" in content) return content.id;
  const id = blobId(repository, content.text);
  texts.set(id, content.text);
  return id;
}

async function diskChanges(
  repository: SyncRepository,
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
