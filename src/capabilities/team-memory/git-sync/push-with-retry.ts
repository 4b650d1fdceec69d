import { DomainError } from "../../../core/errors.ts";
import { mergeIn } from "./pull.ts";
import { type PushResult, type State, stateOf } from "./push-result.ts";
import { fetchBranch, type PushOutcome, pushCommit } from "./repository/remote.ts";
import { aheadBehind, openRepository, type Repository } from "./repository/repository.ts";
import type { Remote } from "./repository/settings.ts";
import { lockForSync, type SyncDesk } from "./sync-context.ts";

interface Delivery {
  readonly remote: Remote;
  readonly state: State;
  readonly isParting: boolean;
}

/** Pushes; where someone was faster, merges theirs once and tries again. */
export async function deliver(
  desk: SyncDesk,
  repository: Repository,
  { remote, state, isParting }: Delivery,
): Promise<PushResult> {
  const send = (commit: string): Promise<PushOutcome> =>
    pushCommit(repository, remote, { commit, signal: desk.signal });
  const first = await send(repository.head ?? "");
  if (first.isPushed) return { status: "pushed", ...state };
  if (!first.isRejected || isParting) return notDelivered(repository, remote, { state, error: first.error });
  const merged = await mergeTheirs(desk, repository, remote);
  if ("error" in merged)
    return notDelivered(repository, remote, { state, error: merged.error ?? first.error });
  const head = (await openRepository(desk.place, desk.settings.branch)).head ?? "";
  const second = await send(head);
  const now = stateOf(head, {
    warnings: [...state.warnings, ...merged.warnings],
    renumbered: [...(state.renumbered ?? []), ...merged.renumbered],
    auto_resolved: merged.auto_resolved,
  });
  return second.isPushed
    ? { status: "pushed", ...now }
    : notDelivered({ ...repository, head }, remote, { state: now, error: second.error });
}

/** What was committed stays committed, whatever keeps the remote's from being merged: the caller is told both. */
async function mergeTheirs(desk: SyncDesk, repository: Repository, remote: Remote) {
  try {
    const theirs = await fetchBranch(repository, remote, desk.signal);
    if (theirs === undefined) return { error: undefined };
    const merged = await lockedMerge(desk, theirs);
    if (merged.status === "conflicts") {
      return {
        error: `The remote changed the same entries: ${merged.files.join(", ")}. Settle them with context_conflict_detail, then push again.`,
      };
    }
    return merged.status === "pulled" ? merged : { warnings: [], renumbered: [], auto_resolved: [] };
  } catch (thrown) {
    if (thrown instanceof DomainError) return { error: thrown.message };
    throw thrown;
  }
}

async function lockedMerge(desk: SyncDesk, theirs: string) {
  using _lock = await lockForSync(desk);
  return mergeIn(desk, theirs, "agent");
}

async function notDelivered(
  repository: Repository,
  remote: Remote,
  { state, error }: { state: State; error: string },
): Promise<PushResult> {
  const counts = await aheadBehind(repository.top, repository.head ?? "", remote.trackingRef);
  return { status: "committed", ...state, push_error: error, ...counts };
}
