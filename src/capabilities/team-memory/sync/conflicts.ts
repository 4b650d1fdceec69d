import { unifiedDiff } from "../../../core/diff/unified.ts";
import { DomainError } from "../../../core/errors.ts";
import { checkFile } from "../check-file.ts";
import { mergeMarkdown } from "../merge/markdown-merge.ts";
import type { FileConflict, MergedContent } from "../merge/store-merge.ts";
import { STORE_DIRECTORY } from "../store/layout.ts";
import { isPartOf, meet } from "./arrive.ts";
import { lockForSync, type SyncDesk, standingOf } from "./desk.ts";
import { land } from "./land.ts";
import {
  clearPending,
  isPending,
  type Pending,
  type PendingFile,
  readPending,
  writePending,
} from "./pending.ts";
import { followed, listed, refused } from "./repository.ts";

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
  const file = fileOf(pendingOf(desk, ""), filePath);
  const { base_content, ours_content, theirs_content, file_path, kind, resolved } = file;
  const [base, ours, theirs] = [base_content ?? "", ours_content ?? "", theirs_content ?? ""];
  return {
    file_path,
    kind,
    resolved,
    ours_content: ours,
    theirs_content: theirs,
    base_content: base,
    diff: diffOf(file_path, ours, theirs),
    ...(file_path.endsWith(".md") && { section_analysis: analyse(file) }),
  };
}

/** Git's quoting of names beyond ASCII is for programs; here a person or an agent reads them. */
function diffOf(path: string, ours: string, theirs: string): string {
  const name = path.replaceAll(/\p{Cc}/gu, "?");
  return unifiedDiff({ label: "ours", text: ours }, { label: "theirs", text: theirs }).replace(
    /^--- .*\n\+\+\+ .*\n/,
    () => `--- ${name} (ours)\n+++ ${name} (theirs)\n`,
  );
}

/** A file that one side deleted has no sections to merge: an empty side would take the other's away. */
function analyse({ kind, details, base_content, ours_content, theirs_content }: PendingFile) {
  const texts = { base: base_content ?? "", ours: ours_content ?? "", theirs: theirs_content ?? "" };
  const { conflicts, text } =
    kind === "modify/delete" ? { conflicts: details, text: null } : mergeMarkdown(texts, "ours");
  const hasConflicts = kind === "modify/delete" || conflicts.length > 0;
  return {
    has_section_conflicts: hasConflicts,
    conflict_details: [...conflicts],
    auto_merged_content: hasConflicts ? null : text,
  };
}

/** A resolution may be given again until the merge is finished: the last one counts. */
export async function resolveConflict(desk: SyncDesk, filePath: string, content: string) {
  using _lock = await lockForSync(desk);
  const pending = pendingOf(desk, "");
  const file = fileOf(pending, filePath);
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

function pendingOf(desk: SyncDesk, purpose: string): Pending {
  const pending = readPending(desk.place);
  if (pending === undefined) throw noPending(purpose);
  return pending;
}

const noPending = (purpose: string) => new DomainError("not_found", `No pending conflicts${purpose}`);

function fileOf(pending: Pending, filePath: string): PendingFile {
  const file = pending.conflicts.find(({ file_path }) => file_path === filePath);
  if (file === undefined) throw new DomainError("not_found", `No unresolved conflict for ${filePath}`);
  return file;
}
