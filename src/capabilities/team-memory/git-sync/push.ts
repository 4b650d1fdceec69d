import { existsSync } from "node:fs";
import { join } from "node:path";
import { commitDisk } from "./apply-merge.ts";
import { readPending } from "./pending.ts";
import { projectPath } from "./pull.ts";
import { nothingToPush, type PushResult, stateOf } from "./push-result.ts";
import { deliver } from "./push-with-retry.ts";
import { type Repository, refused, shortBranch } from "./repository/repository.ts";
import type { Remote } from "./repository/settings.ts";
import { lockForSync, type SyncDesk, standingOf } from "./sync-context.ts";
import { hasPushHook, type Unpublished, unpublishedTo } from "./unpublished.ts";

export interface PushOptions {
  readonly message?: string;
  /** At shutdown: nothing that takes long, nothing of the user's own is published. */
  readonly isParting?: boolean;
}

export async function push(
  desk: SyncDesk,
  { message = "", isParting = false }: PushOptions,
): Promise<PushResult> {
  if (!existsSync(desk.place.directory)) {
    await standingOf(desk);
    return { status: "nothing_to_push" };
  }
  if (readPending(desk.place))
    throw refused(
      "A merge waits for decisions. Finish it with context_merge_finalize or context_merge_abort, then push again.",
    );
  const committed = await commitLocal(desk, message);
  const { repository } = committed;
  if (repository.head === undefined) return nothingToPush(committed);
  const state = stateOf(repository.head, committed);
  if (repository.remote === undefined)
    return committed.isNew ? { status: "committed", ...state } : nothingToPush(committed);
  const waiting = await unpublishedTo(repository, repository.remote);
  if (waiting.ofStore === 0) return nothingToPush(committed);
  const reason = whyNot(repository, { remote: repository.remote, waiting, isParting });
  if (reason !== undefined) return { status: "committed", ...state, push_error: reason };
  if (waiting.own > 0) state.warnings.push(`${waiting.own} commits of your own were published with it`);
  return deliver(desk, repository, { remote: repository.remote, state, isParting });
}

/** Why a commit stays here though there is a remote. */
function whyNot(
  repository: Repository,
  { remote, waiting, isParting }: { remote: Remote; waiting: Unpublished; isParting: boolean },
): string | undefined {
  if (hasPushHook(repository))
    return "This repository checks pushes with a pre-push hook. Run git push yourself.";
  // As git itself: a topic that follows main is not meant to be published on main.
  if (waiting.own > 0 && remote.branch !== repository.branch)
    return `Not pushed: ${waiting.own} commits of your own would have been published on ${shortBranch(remote)}. Run git push yourself.`;
  if (!isParting) return undefined;
  if (waiting.own > 0)
    return `Not pushed: ${waiting.own} commits of your own on this branch would have been published with it.`;
  return waiting.isNewBranch
    ? `Not pushed: the remote has no branch ${shortBranch(repository)} yet.`
    : undefined;
}

async function commitLocal(desk: SyncDesk, message: string) {
  using _lock = await lockForSync(desk);
  const standing = await standingOf(desk);
  const landed = await commitDisk(desk, standing, message);
  const head = landed?.commit ?? standing.repository.head;
  const withdrawn = [...standing.committed.keys()].filter(
    (path) => !standing.disk.ids.has(path) && existsSync(join(desk.place.directory, path)),
  );
  const warnings = [
    ...(landed?.warnings ?? []),
    ...withdrawn.map(
      (path) =>
        `${projectPath(path)} is private now and left the branch; the history still holds its earlier text`,
    ),
  ];
  return {
    repository: { ...standing.repository, head },
    isNew: landed !== undefined,
    warnings,
    renumbered: standing.renumbered,
  };
}
