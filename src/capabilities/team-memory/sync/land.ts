import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { FileIds, MergedContent, MergedStore } from "../merge/store-merge.ts";
import { commitChanges } from "../store/transaction.ts";
import { makeCommit, moveBranch, updateIndex } from "./commit.ts";
import { isSame, type Standing, type SyncDesk } from "./desk.ts";
import { describeChanges } from "./message.ts";
import { checkWorkTree, followWorkTree, mergeOutside } from "./outside.ts";
import { type Repository, refused } from "./repository.ts";
import { blobId, filesAt, readBlob, writeBlobs, writeTree } from "./store-tree.ts";

export interface Landed {
  readonly commit: string;
  readonly warnings: readonly string[];
}

/** Commits what is on disk, if it differs from the branch. Nothing on disk changes. */
export async function commitDisk(
  desk: SyncDesk,
  { repository, disk, committed }: Standing,
  message?: string,
): Promise<Landed | undefined> {
  if (isSame(disk.ids, committed)) return undefined;
  const made = await makeDiskCommit(desk, { repository, disk, committed }, message);
  const indexWarnings = await updateIndex(repository, disk.ids);
  await moveBranch(repository, made.id, "push");
  return { commit: made.id, warnings: [...made.warnings, ...indexWarnings] };
}

async function makeDiskCommit(desk: SyncDesk, { repository, disk, committed }: Standing, message?: string) {
  const fresh = [...disk.ids]
    .filter(([path, id]) => committed.get(path) !== id)
    .map(([path]) => disk.read(path));
  await writeBlobs(repository, fresh);
  const tree = await writeTree(repository, repository.head, disk.ids);
  const parents = repository.head === undefined ? [] : [repository.head];
  return makeCommit(repository, {
    tree,
    parents,
    message: message || describeChanges(committed, disk.ids),
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
): Promise<Landed> {
  const { repository, disk, committed } = standing;
  const outside = await mergeOutside(repository, base, theirs);
  const texts = new Map<string, string | Uint8Array>();
  const result: FileIds = new Map(
    [...merged.files].map(([path, content]) => [path, idOf(repository, content, texts)]),
  );
  refuseToOverwritePrivate(desk, disk.ids, result);
  await writeBlobs(repository, [...texts.values()]);
  const isForward =
    base === repository.head &&
    isSame(disk.ids, committed) &&
    isSame(result, await filesAt(repository, theirs));
  const ours = isSame(disk.ids, committed) ? undefined : await makeDiskCommit(desk, standing);
  const parents = [ours?.id ?? repository.head, theirs].filter((parent) => parent !== undefined);
  const tree = await writeTree(repository, outside.tree, result);
  await checkWorkTree(repository, outside, await writeTree(repository, outside.tree, committed));
  const made = isForward
    ? { id: theirs, warnings: [] }
    : await makeCommit(repository, { tree, parents, message, actor: desk.actor });
  await commitChanges(desk.place.directory, await diskChanges(repository, disk.ids, { result, texts }));
  const indexWarnings = await updateIndex(repository, result);
  await followWorkTree(repository, outside, tree);
  await moveBranch(repository, made.id, "pull");
  return { commit: made.id, warnings: [...(ours?.warnings ?? made.warnings), ...indexWarnings] };
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
  before: FileIds,
  { result, texts }: { result: FileIds; texts: ReadonlyMap<string, string | Uint8Array> },
) {
  const gone = [...before.keys()]
    .filter((path) => !result.has(path))
    .map((path) => ({ path, content: undefined }));
  const changed = [...result].filter(([path, id]) => before.get(path) !== id);
  const written = await Promise.all(
    changed.map(async ([path, id]) => ({ path, content: texts.get(id) ?? (await readBlob(repository, id)) })),
  );
  return [...gone, ...written];
}

/** A file that stands there and is not public is a private entry: a teammate's file of the same name must not replace it. */
function refuseToOverwritePrivate(desk: SyncDesk, before: FileIds, result: FileIds): void {
  const hidden = [...result.keys()].filter(
    (path) =>
      !before.has(path) &&
      lstatSync(join(desk.place.directory, path), { throwIfNoEntry: false }) !== undefined,
  );
  if (hidden.length === 0) return;
  throw refused(
    `The team has entries named like private ones of yours: ${hidden.slice(0, 5).join(", ")}. Rename yours, then pull again.`,
    { files: hidden },
  );
}
