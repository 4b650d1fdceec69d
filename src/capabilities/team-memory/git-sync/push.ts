import { existsSync } from "node:fs";
import { join } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import { commitDisk } from "./apply-merge.ts";
import { readPending } from "./pending.ts";
import { ownCommits, pushWithRetry, summarise } from "./push-with-retry.ts";
import { listed, refused, type SyncRepository, shortBranch } from "./repository/repository.ts";
import type { SyncRemote } from "./repository/settings.ts";
import type { PushResult } from "./results.ts";
import {
  lockForSync,
  projectPath,
  readSyncState,
  requireStore,
  type SyncContext,
  type SyncState,
} from "./sync-context.ts";
import { findUnpublished, hasPushHook, type Unpublished } from "./unpublished.ts";

/** Commits the store and pushes it, because somebody asked for it. */
export async function push(context: SyncContext, message: string): Promise<PushResult> {
  if (!(await requireStore(context))) return { status: "nothing_to_push" };
  if (readPending(context.place))
    throw new DomainError("conflict", "A merge waits for decisions. Finish or abort it, then push again.", {
      next: { tool: "context_merge_finalize" },
    });
  const committed = await commitLocal(context, message);
  const { repository, renumbered } = committed;
  const nothing: PushResult = {
    status: "nothing_to_push",
    ...(renumbered.length > 0 && { renumbered: [...renumbered] }),
    ...(committed.ignored.length > 0 && { warnings: committed.ignored }),
  };
  if (repository.head === undefined) return nothing;
  const summary = summarise(repository.head, committed);
  if (repository.remote === undefined) return committed.isNew ? { status: "committed", ...summary } : nothing;
  const unpublished = await findUnpublished(repository, repository.remote);
  if (unpublished.ofStore === 0) return nothing;
  const reason = whyNotPushed(repository, repository.remote, unpublished);
  if (reason !== undefined) return { status: "committed", ...summary, push_error: reason };
  return pushWithRetry(context, repository, {
    remote: repository.remote,
    summary,
    own: unpublished.own,
  });
}

/** Why a commit stays local although there is a remote. */
function whyNotPushed(
  repository: SyncRepository,
  remote: SyncRemote,
  unpublished: Unpublished,
): string | undefined {
  if (hasPushHook(repository))
    return "This repository checks pushes with a pre-push hook. Run git push yourself.";
  const own = ownCommits(unpublished.own);
  // Like git: a topic branch that follows main is not published on main.
  if (unpublished.own > 0 && remote.branch !== repository.branch)
    return `Not pushed: ${own} would have been published on ${shortBranch(remote)}. Run git push yourself.`;
  return undefined;
}

async function commitLocal(context: SyncContext, message: string) {
  using _lock = await lockForSync(context);
  const state = await readSyncState(context);
  refuseIgnoredStore(state);
  const commit = await commitDisk(context, state, message);
  const ignored = ignoredFiles(state);
  const withdrawn = [...state.committed.keys()].filter(
    (path) => !state.disk.ids.has(path) && existsSync(join(context.place.directory, path)),
  );
  const warnings = [
    ...(commit?.warnings ?? []),
    ...ignored,
    ...withdrawn.map(
      (path) =>
        `${projectPath(path)} is private now and left the branch; the history still holds its earlier text`,
    ),
  ];
  return {
    repository: { ...state.repository, head: commit?.id ?? state.repository.head },
    isNew: commit !== undefined,
    warnings,
    ignored,
    renumbered: state.renumbered,
  };
}

/** The user told git to keep the store out. */
function refuseIgnoredStore({ disk: { storeRule } }: SyncState): void {
  if (storeRule === undefined) return;
  throw refused(
    `git ignores the store (${storeRule}), so nothing of it is committed or pushed. Remove that rule to share the store.`,
  );
}

const ignoredFiles = ({ disk: { ignored } }: SyncState): string[] =>
  ignored.length === 0 ? [] : [`git ignores ${listed(ignored.map(projectPath))}: not committed, not pushed`];
