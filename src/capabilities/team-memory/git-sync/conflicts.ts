import { checkFile } from "../entries/check-file.ts";
import type { FileConflict, MergedContent } from "../merge/store-merge.ts";
import { STORE_DIRECTORY } from "../store/layout.ts";
import { land } from "./apply-merge.ts";
import { isPartOf, meet } from "./merge-with-remote.ts";
import {
  clearPending,
  isPending,
  noPending,
  type Pending,
  pendingFile,
  requirePending,
  writePending,
} from "./pending.ts";
import { followed, listed, refused } from "./repository/repository.ts";
import { lockForSync, type SyncDesk, standingOf } from "./sync-context.ts";

/** A resolution may be given again until the merge is finished: the last one counts. */
export async function resolveConflict(desk: SyncDesk, filePath: string, content: string) {
  using _lock = await lockForSync(desk);
  const pending = requirePending(desk.place, "");
  const file = pendingFile(pending, filePath);
  const isDeleted = file.kind === "modify/delete" && content === "";
  if (!isDeleted) await checkFile(file.file_path.slice(STORE_DIRECTORY.length + 1), content);
  const conflicts = pending.conflicts.map((other) =>
    other === file ? { ...file, resolved: true, resolution: content } : other,
  );
  await writePending(desk.place, { ...pending, conflicts });
  return {
    status: "resolved" as const,
    file_path: file.file_path,
    remaining: conflicts.filter(({ resolved }) => !resolved).length,
  };
}

/** Merges exactly the commits the conflicts were found in; what changed here since must not be settled unseen. */
export async function finalizeMerge(desk: SyncDesk) {
  using _lock = await lockForSync(desk);
  const pending = requirePending(desk.place, " to finalize");
  const standing = await standingOf(desk);
  if (await isPartOf(standing.repository.top, pending.theirs_commit, standing.repository.head)) {
    throw refused(
      "The remote's commit was merged here by other means. Call context_merge_abort, then pull again.",
    );
  }
  const { base, merged } = await meet(standing, pending.theirs_commit, "ours");
  refuseChanged(pending, merged.conflicts);
  const files = new Map<string, MergedContent>(merged.files);
  for (const { file_path, kind, resolution } of pending.conflicts) {
    const path = file_path.slice(STORE_DIRECTORY.length + 1);
    if (kind === "modify/delete" && resolution === "") files.delete(path);
    else if (resolution !== null) files.set(path, { text: resolution });
  }
  const message = `ctx: merge ${followed(standing.repository)} (settled by ${desk.actor})`;
  const landed = await land(desk, standing, {
    theirs: pending.theirs_commit,
    base,
    merged: { ...merged, files },
    message,
  });
  await clearPending(desk.place);
  const skipped = pending.conflicts.filter(({ resolved }) => !resolved).map(({ file_path }) => file_path);
  return {
    status: "merged" as const,
    commit: landed.commit.slice(0, 12),
    resolved: pending.conflicts.length - skipped.length,
    kept_ours: skipped,
    renumbered: [...landed.renumbered],
    warnings: [...landed.warnings],
  };
}

/** A resolution is for the two texts it was made from, and for no others. */
function refuseChanged(pending: Pending, conflicts: readonly FileConflict[]): void {
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

/** Nothing but the pending file was ever written, so there is nothing else to restore. */
export async function abortMerge(desk: SyncDesk) {
  using _lock = await lockForSync(desk);
  if (!isPending(desk.place)) throw noPending(" to abort");
  await clearPending(desk.place);
  return { status: "aborted" as const };
}
