import { DomainError } from "../../../core/errors.ts";
import { checkFile } from "../entries/check-file.ts";
import type { FileConflict, MergedContent } from "../merge/store-merge.ts";
import { STORE_DIRECTORY } from "../store/layout.ts";
import { applyMerge } from "./apply-merge.ts";
import { isMergedAlready, mergeWithRemote } from "./merge-with-remote.ts";
import {
  clearPending,
  isPending,
  noPending,
  type PendingMerge,
  pendingFile,
  requirePending,
  writePending,
} from "./pending.ts";
import { listed, refused, remoteBranchName } from "./repository/repository.ts";
import type { FinalizedMerge, ResolvedConflict } from "./results.ts";
import { lockForSync, readSyncState, type SyncContext } from "./sync-context.ts";

/** A file may be resolved again until the merge is finished: the last resolution counts. */
export async function resolveConflict(
  context: SyncContext,
  filePath: string,
  content: string,
): Promise<ResolvedConflict> {
  using _lock = await lockForSync(context);
  const pending = requirePending(context.place, "");
  const file = pendingFile(pending, filePath);
  const isDeleted = file.kind === "modify/delete" && content === "";
  if (!isDeleted) await checkFile(file.file_path.slice(STORE_DIRECTORY.length + 1), content);
  const conflicts = pending.conflicts.map((other) =>
    other === file ? { ...file, resolved: true, resolution: content } : other,
  );
  await writePending(context.place, { ...pending, conflicts });
  return {
    status: "resolved",
    file_path: file.file_path,
    remaining: conflicts.filter(({ resolved }) => !resolved).length,
  };
}

/** Merges exactly the commits in which the conflicts were found. Refuses if a text changed here since. */
export async function finalizeMerge(context: SyncContext): Promise<FinalizedMerge> {
  using _lock = await lockForSync(context);
  const pending = requirePending(context.place, " to finalize");
  const state = await readSyncState(context);
  if (await isMergedAlready(state.repository, pending.theirs_commit)) {
    throw new DomainError(
      "conflict",
      "The remote's commit was merged here by other means. Abort this merge, then pull again.",
      { next: { tool: "context_merge_abort" } },
    );
  }
  const { base, merged } = await mergeWithRemote(state, pending.theirs_commit, "ours");
  refuseChanged(pending, merged.conflicts);
  const files = new Map<string, MergedContent>(merged.files);
  for (const { file_path, kind, resolution } of pending.conflicts) {
    const path = file_path.slice(STORE_DIRECTORY.length + 1);
    if (kind === "modify/delete" && resolution === "") files.delete(path);
    else if (resolution !== null) files.set(path, { text: resolution });
  }
  const message = `ctx: merge ${remoteBranchName(state.repository)}, conflicts resolved`;
  const applied = await applyMerge(context, state, {
    theirs: pending.theirs_commit,
    base,
    merged: { ...merged, files },
    message,
  });
  await clearPending(context.place);
  const unresolved = pending.conflicts.filter(({ resolved }) => !resolved).map(({ file_path }) => file_path);
  return {
    status: "merged",
    commit: applied.id.slice(0, 12),
    resolved: pending.conflicts.length - unresolved.length,
    kept_ours: unresolved,
    renumbered: [...applied.renumbered],
    warnings: [...applied.warnings],
  };
}

/** A resolution is valid only for the two texts it was made from. */
function refuseChanged(pending: PendingMerge, conflicts: readonly FileConflict[]): void {
  const found = new Map(conflicts.map((conflict) => [`${STORE_DIRECTORY}/${conflict.path}`, conflict]));
  const known = new Map(pending.conflicts.map((file) => [file.file_path, file]));
  const changed = [...new Set([...found.keys(), ...known.keys()])].filter((path) => {
    const [now, then] = [found.get(path), known.get(path)];
    return (
      now === undefined ||
      then === undefined ||
      then.ours_content !== (now.ours ?? null) ||
      then.theirs_content !== (now.theirs ?? null)
    );
  });
  if (changed.length === 0) return;
  throw refused(
    `Changed here since the conflicts were found: ${listed(changed)}. Pull again with the agent strategy; your resolutions of other files are kept.`,
    { files: changed },
  );
}

/** Only the pending file was written, so there is nothing else to undo. */
export async function abortMerge(context: SyncContext) {
  using _lock = await lockForSync(context);
  if (!isPending(context.place)) throw noPending(" to abort");
  await clearPending(context.place);
  return { status: "aborted" as const };
}
