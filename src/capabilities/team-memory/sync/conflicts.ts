import { unifiedDiff } from "../../../core/diff/unified.ts";
import { DomainError } from "../../../core/errors.ts";
import { mergeMarkdown } from "../merge/markdown-merge.ts";
import type { FileConflict, MergedContent } from "../merge/store-merge.ts";
import { STORE_DIRECTORY } from "../store/layout.ts";
import { isPartOf, meet } from "./arrive.ts";
import { lockForSync, type SyncDesk, standingOf } from "./desk.ts";
import { land } from "./land.ts";
import { clearPending, type Pending, type PendingFile, readPending, writePending } from "./pending.ts";
import { listed, refused, shortBranch } from "./repository.ts";

const PREVIEW = 200;

export function mergeStatus(desk: SyncDesk) {
  const pending = readPending(desk.place);
  if (pending === undefined) return { status: "clean" as const };
  const unresolved = pending.conflicts.filter(({ resolved }) => !resolved);
  return {
    status: "conflicts" as const,
    conflict_id: pending.conflict_id,
    report: {
      has_conflicts: unresolved.length > 0,
      total: pending.conflicts.length,
      unresolved: unresolved.length,
      conflicts: pending.conflicts.map(({ file_path, kind, ours_content, theirs_content, resolved }) => ({
        file_path,
        kind,
        ours_preview: (ours_content ?? "").slice(0, PREVIEW),
        theirs_preview: (theirs_content ?? "").slice(0, PREVIEW),
        resolved,
      })),
      auto_resolved: pending.auto_resolved,
    },
  };
}

export function conflictDetail(desk: SyncDesk, filePath: string) {
  const { base_content, ours_content, theirs_content, file_path, kind, resolved } = fileOf(
    pendingOf(desk, ""),
    filePath,
  );
  const [base, ours, theirs] = [base_content ?? "", ours_content ?? "", theirs_content ?? ""];
  const diff = unifiedDiff(
    { label: `${file_path} (ours)`, text: ours },
    { label: `${file_path} (theirs)`, text: theirs },
  );
  const merged = mergeMarkdown({ base, ours, theirs }, "ours");
  return {
    file_path,
    kind,
    resolved,
    ours_content: ours,
    theirs_content: theirs,
    base_content: base,
    diff,
    ...(file_path.endsWith(".md") && {
      section_analysis: {
        has_section_conflicts: merged.conflicts.length > 0,
        conflict_details: [...merged.conflicts],
        auto_merged_content: merged.conflicts.length > 0 ? null : merged.text,
      },
    }),
  };
}

/** A resolution may be given again until the merge is finished: the last one counts. */
export async function resolveConflict(desk: SyncDesk, filePath: string, content: string) {
  using _lock = await lockForSync(desk);
  const pending = pendingOf(desk, "");
  const file = fileOf(pending, filePath);
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
  const pending = pendingOf(desk, " to finalize");
  const standing = await standingOf(desk);
  if (await isPartOf(standing.repository.top, pending.theirs_commit, standing.repository.head)) {
    throw refused(
      "The remote's commit was merged here by other means. Call context_merge_abort, then pull again.",
    );
  }
  const { base, merged } = await meet(standing, pending.theirs_commit, "ours");
  refuseChanged(pending, merged.conflicts);
  const files = new Map<string, MergedContent>(merged.files);
  for (const { file_path, resolution } of pending.conflicts) {
    if (resolution !== null) files.set(file_path.slice(STORE_DIRECTORY.length + 1), { text: resolution });
  }
  const message = `ctx: merge ${standing.repository.remote?.name ?? "remote"}/${shortBranch(standing.repository)} (settled by ${desk.actor})`;
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
    renumbered: [...merged.renumbered],
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
  pendingOf(desk, " to abort");
  await clearPending(desk.place);
  return { status: "aborted" as const };
}

function pendingOf(desk: SyncDesk, purpose: string): Pending {
  const pending = readPending(desk.place);
  if (pending === undefined) throw new DomainError("not_found", `No pending conflicts${purpose}`);
  return pending;
}

function fileOf(pending: Pending, filePath: string): PendingFile {
  const file = pending.conflicts.find(({ file_path }) => file_path === filePath);
  if (file === undefined) throw new DomainError("not_found", `No unresolved conflict for ${filePath}`);
  return file;
}
