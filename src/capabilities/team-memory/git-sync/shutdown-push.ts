import { runGit } from "../../../core/git/git.ts";
import { sha256 } from "../../../core/hash.ts";
import { isRecord } from "../../../core/json.ts";
import { folderOf, MANIFEST, metadataFile, ownerOf, sidecarKey } from "../store/layout.ts";
import type { OwnWrites } from "../store/own-writes.ts";
import { readStoreFile } from "../store/read-file.ts";
import { openSidecars, printRows } from "../store/sidecar.ts";
import { isPending } from "./pending.ts";
import { createCommit, moveBranch, updateIndex, waitForIndex } from "./repository/commit.ts";
import { describeChanges } from "./repository/commit-message.ts";
import { pushCommit } from "./repository/remote.ts";
import { readIndex, type SyncRepository, shortBranch } from "./repository/repository.ts";
import type { SyncRemote } from "./repository/settings.ts";
import { asStored, blobId, readContents, writeBlobs, writeTree } from "./repository/store-tree.ts";
import {
  lockForSync,
  readSyncState,
  requireStore,
  type SyncContext,
  type SyncState,
} from "./sync-context.ts";
import { findUnpublished, hasPushHook } from "./unpublished.ts";

export type ShutdownPush =
  | {
      readonly status: "pushed";
      readonly commit: string;
      /** Such as `origin main`. */
      readonly to: string;
      readonly files: readonly string[];
    }
  | { readonly status: "not_pushed"; readonly push_error: string };

/**
 * Publishes what this server wrote and nothing else: not what a person, a command or another server wrote, no commits
 * that others made, nothing that git ignores. The local branch moves only after the remote has the commit.
 */
export async function pushOwnWrites(
  context: SyncContext,
  written: OwnWrites,
): Promise<ShutdownPush | undefined> {
  if (written.size === 0 || isPending(context.place) || !(await requireStore(context))) return undefined;
  using _lock = await lockForSync(context);
  const state = await readSyncState(context);
  const { repository } = state;
  const { remote, head } = repository;
  if (remote === undefined || head === undefined) return undefined;
  const changes = await ownChanges(context, state, written);
  if (changes.size === 0) return undefined;
  const reason = await whyNotPushed(repository, remote);
  if (reason !== undefined) return { status: "not_pushed", push_error: reason };
  return publish(context, state, { remote, changes });
}

/** The content of each file to publish; `undefined`: it is removed. */
type OwnChanges = Map<string, Buffer | undefined>;

async function publish(
  context: SyncContext,
  { repository, committed }: SyncState,
  { remote, changes }: { remote: SyncRemote; changes: OwnChanges },
): Promise<ShutdownPush> {
  const after = overlay(committed, repository, changes);
  await waitForIndex(repository);
  await writeBlobs(
    repository,
    [...changes.values()].filter((content) => content !== undefined),
  );
  const { id: commit } = await createCommit(repository, {
    tree: await writeTree(repository, repository.head, after),
    parents: repository.head === undefined ? [] : [repository.head],
    message: describeChanges(committed, after),
    actor: context.actor,
  });
  const outcome = await pushCommit(repository, remote, { ...context, commit });
  if (!outcome.isPushed) return { status: "not_pushed", push_error: outcome.error };
  const indexed = new Map((await readIndex(repository)).map(({ path, id }) => [path, id]));
  await updateIndex(repository, overlay(indexed, repository, changes));
  await moveBranch(repository, commit, "push at shutdown");
  const files = [...changes.keys()].filter((path) => ownerOf(path) !== undefined);
  return {
    status: "pushed",
    commit: commit.slice(0, 12),
    to: `${remote.name} ${shortBranch(remote)}`,
    files,
  };
}

const overlay = (files: ReadonlyMap<string, string>, repository: SyncRepository, changes: OwnChanges) => {
  const result = new Map(files);
  for (const [path, content] of changes) {
    if (content === undefined) result.delete(path);
    else result.set(path, blobId(repository, content));
  }
  return result;
};

async function whyNotPushed(repository: SyncRepository, remote: SyncRemote): Promise<string | undefined> {
  if (hasPushHook(repository))
    return "This repository checks pushes with a pre-push hook. Run git push yourself.";
  const { own, ofStore, isNewBranch } = await findUnpublished(repository, remote);
  if (own > 0) return publishesCommits(own);
  if (isNewBranch) return `Not pushed: the remote has no branch ${shortBranch(repository)} yet.`;
  return ofStore > 0 ? publishesCommits(ofStore) : undefined;
}

const publishesCommits = (count: number) =>
  `Not pushed: ${count} ${count === 1 ? "commit" : "commits"} of your own on this branch would have been published with it.`;

/** Files whose whole difference from the branch was written by this server. */
async function ownChanges(context: SyncContext, state: SyncState, written: OwnWrites): Promise<OwnChanges> {
  const { repository, disk, committed } = state;
  const { directory } = context.place;
  const changes: OwnChanges = new Map();
  const idOf = (bytes: Buffer | undefined) => bytes && blobId(repository, asStored(repository, bytes));
  for (const [path, { befores, after }] of written) {
    const bytes = readStoreFile(directory, path)?.bytes;
    const isOurs = befores.map(idOf).includes(committed.get(path)) && after === (bytes && sha256(bytes));
    const isShared = bytes === undefined ? committed.has(path) : disk.ids.has(path);
    if (isOurs && isShared && disk.ids.get(path) !== committed.get(path)) changes.set(path, disk.read(path));
  }
  for (const path of await ignoredByGit(repository, [...changes.keys()])) changes.delete(path);
  const entries = [...changes.keys()].filter((path) => ownerOf(path) !== undefined);
  if (entries.length === 0) return new Map();
  // Without them a teammate's clone has no store, whoever created it here.
  for (const path of [MANIFEST, ".gitignore"]) {
    const content = disk.read(path);
    if (!committed.has(path) && content !== undefined) changes.set(path, content);
  }
  for (const [path, content] of await ownMetadata(context, state, entries)) changes.set(path, content);
  return changes;
}

/** A metadata file has rows of many entries: those of ours are put into the committed file. */
async function ownMetadata(
  { place }: SyncContext,
  { repository, committed }: SyncState,
  entries: readonly string[],
): Promise<OwnChanges> {
  const sidecars = openSidecars(place.directory);
  const changes: OwnChanges = new Map();
  for (const folder of new Set(entries.map(folderOf))) {
    const file = metadataFile(folder);
    const { rows: now, problem } = sidecars.read(file);
    if (problem !== undefined) continue;
    const id = committed.get(file);
    const before = id === undefined ? undefined : (await readContents(repository, [id])).get(id);
    const rows = new Map(Object.entries(parsedObject(before)));
    for (const path of entries.filter((entry) => folderOf(entry) === folder)) {
      const key = sidecarKey(path);
      if (now.has(key)) rows.set(key, now.get(key));
      else rows.delete(key);
    }
    if (rows.size > 0 || id !== undefined) changes.set(file, Buffer.from(printRows(rows)));
  }
  return changes;
}

function parsedObject(content: string | Uint8Array | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(content ?? "{}").toString("utf8"));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** On a branch of its own the store may be ignored where the code is: the user has asked for it by name. */
async function ignoredByGit(
  { top, prefix, onOwnBranch }: SyncRepository,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (onOwnBranch || paths.length === 0) return [];
  const input = paths.map((path) => `${prefix}/${path}\0`).join("");
  const { stdout } = await runGit(["check-ignore", "-z", "--stdin"], { cwd: top, input });
  return stdout
    .toString("utf8")
    .split("\0")
    .filter((path) => path !== "")
    .map((path) => path.slice(prefix.length + 1));
}
