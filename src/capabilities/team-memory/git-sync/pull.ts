import { randomUUID } from "node:crypto";
import { DomainError } from "../../../core/errors.ts";
import type { MergedStore } from "../merge/store-merge.ts";
import { applyMerge } from "./apply-merge.ts";
import { isMergedAlready, mergeWithRemote, type RemoteMerge } from "./merge-with-remote.ts";
import { clearPending, type PendingMerge, readPending, writePending } from "./pending.ts";
import { fetchBranch } from "./repository/remote.ts";
import {
  openRepository,
  remoteBranchName,
  type SyncRepository,
  shortBranch,
} from "./repository/repository.ts";
import type { PullResult } from "./results.ts";
import { lockForSync, projectPath, readSyncState, type SyncContext, type SyncState } from "./sync-context.ts";

const STRATEGIES = ["ours", "theirs", "agent"] as const;
type PullStrategy = (typeof STRATEGIES)[number];

export async function pull(context: SyncContext, wanted: string): Promise<PullResult> {
  const repository = await openRepository(context.place, context.settings.branch);
  const strategy = STRATEGIES.find((known) => known === wanted);
  if (strategy === undefined)
    throw new DomainError("invalid_input", `Invalid strategy '${wanted}'. Use: ours, theirs, agent.`);
  if (repository.remote === undefined) return { status: "no_remote" };
  const theirs = await fetchBranch(repository, repository.remote, context);
  if (theirs === undefined) return { status: "up_to_date" };
  using _lock = await lockForSync(context);
  return mergeFetched(context, theirs, strategy);
}

/** Merges a fetched commit into the store. Call it under the lock. */
export async function mergeFetched(
  context: SyncContext,
  theirs: string,
  strategy: PullStrategy,
): Promise<PullResult> {
  const state = await readSyncState(context);
  const { repository } = state;
  if (await isMergedAlready(repository, theirs)) {
    await clearPending(context.place);
    const { renumbered } = state;
    return { status: "up_to_date", ...(renumbered.length > 0 && { renumbered: [...renumbered] }) };
  }
  requireFirstCommit(repository);
  const remoteMerge = await mergeWithRemote(state, theirs, strategy === "theirs" ? "theirs" : "ours");
  const { merged, base } = remoteMerge;
  if (strategy === "agent" && merged.conflicts.length > 0)
    return savePending(context, state, { remoteMerge, theirs });
  const message = `ctx: merge ${remoteBranchName(repository)}`;
  const applied = await applyMerge(context, state, { theirs, base, merged, message });
  await clearPending(context.place);
  const common = {
    commit: applied.id.slice(0, 12),
    auto_resolved: merged.merged.map(projectPath),
    renumbered: [...applied.renumbered],
    warnings: [...applied.warnings],
  };
  if (merged.conflicts.length === 0 || strategy === "agent") return { status: "pulled", ...common };
  return { status: "merged", strategy, resolved: conflictPaths(merged), ...common };
}

const conflictPaths = (merged: MergedStore) => merged.conflicts.map(({ path }) => projectPath(path));

/** Writes the conflicts down for the agent and touches nothing else. Resolutions given before are kept. */
async function savePending(
  context: SyncContext,
  { repository }: SyncState,
  { remoteMerge: { base, merged }, theirs }: { remoteMerge: RemoteMerge; theirs: string },
): Promise<PullResult> {
  const before = readablePending(context);
  const conflicts = merged.conflicts.map(({ path, kind, details, ...texts }) => {
    const [ours_content, theirs_content] = [texts.ours ?? null, texts.theirs ?? null];
    const known = before?.conflicts.find(
      (file) =>
        file.file_path === projectPath(path) &&
        file.ours_content === ours_content &&
        file.theirs_content === theirs_content,
    );
    return {
      file_path: projectPath(path),
      kind,
      details: [...details],
      ours_content,
      theirs_content,
      base_content: texts.base ?? null,
      resolved: known?.resolved ?? false,
      resolution: known?.resolution ?? null,
    };
  });
  const pending: PendingMerge = {
    conflict_id: before?.theirs_commit === theirs ? before.conflict_id : randomUUID(),
    created_at: context.now().toISOString(),
    ours_commit: repository.head ?? null,
    theirs_commit: theirs,
    base_commit: base ?? null,
    auto_resolved: merged.merged.map(projectPath),
    conflicts,
  };
  await writePending(context.place, pending);
  return {
    status: "conflicts",
    conflict_id: pending.conflict_id,
    files: conflicts.map(({ file_path }) => file_path),
  };
}

/** An unreadable pending file is replaced by the conflicts found now. */
function readablePending({ place }: SyncContext): PendingMerge | undefined {
  try {
    return readPending(place);
  } catch {
    return undefined;
  }
}

function requireFirstCommit(repository: SyncRepository): void {
  if (repository.head !== undefined || repository.onOwnBranch) return;
  throw new DomainError(
    "conflict",
    `${shortBranch(repository)} has no commit yet, and the remote has. Run git pull, then sync again.`,
  );
}
