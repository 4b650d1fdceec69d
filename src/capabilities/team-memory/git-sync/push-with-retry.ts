import { DomainError } from "../../../core/errors.ts";
import type { Renumbered } from "../merge/renumber.ts";
import { mergeFetched } from "./pull.ts";
import { fetchBranch, type PushOutcome, pushCommit } from "./repository/remote.ts";
import { aheadBehind, openRepository, type SyncRepository } from "./repository/repository.ts";
import type { SyncRemote } from "./repository/settings.ts";
import type { PushResult } from "./results.ts";
import { lockForSync, type SyncContext } from "./sync-context.ts";

/** What every answer about a commit contains. */
interface CommitSummary extends Pick<PushResult, "auto_resolved" | "renumbered"> {
  readonly commit: string;
  readonly warnings: string[];
}
interface PushAttempt {
  readonly remote: SyncRemote;
  readonly summary: CommitSummary;
  /** Commits of the user that a push publishes too. */
  readonly own: number;
}
interface CommitNotes {
  readonly warnings: readonly string[];
  readonly renumbered: readonly Renumbered[];
  readonly auto_resolved?: readonly string[];
}

/** Pushes. If another push won the race, merges it once and tries again. */
export async function pushWithRetry(
  context: SyncContext,
  repository: SyncRepository,
  { remote, summary, own }: PushAttempt,
): Promise<PushResult> {
  const send = (commit: string): Promise<PushOutcome> =>
    pushCommit(repository, remote, { ...context, commit }).catch((thrown: unknown) => {
      // Such as a push that took too long. The commit exists, so the answer must say so.
      if (!(thrown instanceof DomainError)) throw thrown;
      return { isPushed: false, isRejected: false, error: `${thrown.message} The commit is kept.` };
    });
  const first = await send(repository.head ?? "");
  if (first.isPushed) return pushed(summary, own);
  if (!first.isRejected) return notPushed(repository, remote, { summary, error: first.error });
  const merged = await mergeTheirs(context, repository, remote);
  if ("error" in merged)
    return notPushed(repository, remote, { summary, error: merged.error ?? first.error });
  const head = (await openRepository(context.place, context.settings.branch)).head ?? "";
  const second = await send(head);
  const now = summarise(head, {
    warnings: [...summary.warnings, ...(merged.warnings ?? [])],
    renumbered: [...(summary.renumbered ?? []), ...(merged.renumbered ?? [])],
    auto_resolved: merged.auto_resolved ?? [],
  });
  return second.isPushed
    ? pushed(now, own)
    : notPushed({ ...repository, head }, remote, { summary: now, error: second.error });
}

export const ownCommits = (count: number): string =>
  `${count} ${count === 1 ? "commit" : "commits"} of your own`;

const pushed = (summary: CommitSummary, own: number): PushResult => ({
  status: "pushed",
  ...summary,
  warnings: [
    ...summary.warnings,
    ...(own === 0 ? [] : [`${ownCommits(own)} ${own === 1 ? "was" : "were"} published with it`]),
  ],
});

export const summarise = (
  head: string,
  { warnings, renumbered, auto_resolved = [] }: CommitNotes,
): CommitSummary => ({
  commit: head.slice(0, 12),
  ...(auto_resolved.length > 0 && { auto_resolved: [...auto_resolved] }),
  ...(renumbered.length > 0 && { renumbered: [...renumbered] }),
  // Our commit and the merge may give the same warning.
  warnings: [...new Set(warnings)],
});

/** Our commit stays even if the remote's cannot be merged; the caller learns both. */
async function mergeTheirs(context: SyncContext, repository: SyncRepository, remote: SyncRemote) {
  try {
    const theirs = await fetchBranch(repository, remote, context);
    if (theirs === undefined) return { error: undefined };
    const merged = await mergeUnderLock(context, theirs);
    if (merged.status !== "conflicts") return merged;
    return {
      error: `The remote changed the same entries: ${(merged.files ?? []).join(", ")}. Resolve these conflicts, then push again.`,
    };
  } catch (thrown) {
    if (thrown instanceof DomainError) return { error: thrown.message };
    throw thrown;
  }
}

async function mergeUnderLock(context: SyncContext, theirs: string) {
  using _lock = await lockForSync(context);
  return mergeFetched(context, theirs, "agent");
}

async function notPushed(
  repository: SyncRepository,
  remote: SyncRemote,
  { summary, error }: { summary: CommitSummary; error: string },
): Promise<PushResult> {
  const counts = await aheadBehind(repository.top, repository.head ?? "", remote.trackingRef);
  return { status: "committed", ...summary, push_error: error, ...counts };
}
