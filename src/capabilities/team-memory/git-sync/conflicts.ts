import { unifiedDiff } from "../../../core/diff/unified.ts";
import { DomainError } from "../../../core/errors.ts";
import { checkFile } from "../entries/check-file.ts";
import { mergeMarkdown } from "../merge/markdown-merge.ts";
import { restoreRedacted } from "../merge/restore-redacted.ts";
import type { FileConflict, MergedContent } from "../merge/store-merge.ts";
import { STORE_DIRECTORY } from "../store/layout.ts";
import { applyMerge } from "./apply-merge.ts";
import { isMergedAlready, mergeWithRemote } from "./merge-with-remote.ts";
import {
  clearPending,
  isPending,
  noPending,
  type PendingFile,
  type PendingMerge,
  pendingFile,
  readPending,
  requirePending,
  writePending,
} from "./pending.ts";
import { listed, refused, remoteBranchName } from "./repository/repository.ts";
import type { ConflictDetail, FinalizedMerge, MergeStatus, ResolvedConflict } from "./results.ts";
import { lockForSync, readSyncState, type SyncContext } from "./sync-context.ts";

const PREVIEW_LENGTH = 200;

export function mergeStatus(context: SyncContext): MergeStatus {
  const pending = readPending(context.place);
  if (pending === undefined) return { status: "clean" };
  const unresolved = pending.conflicts.filter(({ resolved }) => !resolved);
  return {
    status: "conflicts",
    conflict_id: pending.conflict_id,
    report: {
      has_conflicts: unresolved.length > 0,
      total: pending.conflicts.length,
      unresolved: unresolved.length,
      conflicts: pending.conflicts.map(({ file_path, kind, ours_content, theirs_content, resolved }) => ({
        file_path,
        kind,
        ours_preview: previewOf(ours_content),
        theirs_preview: previewOf(theirs_content),
        resolved,
      })),
      auto_resolved: pending.auto_resolved,
    },
  };
}

const previewOf = (text: string | null): string =>
  (text ?? "").slice(0, PREVIEW_LENGTH).replace(/\p{Surrogate}$/u, "");

export function conflictDetail(context: SyncContext, filePath: string): ConflictDetail {
  const file = pendingFile(requirePending(context.place, ""), filePath);
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

/** Git quotes names beyond ASCII for programs; people and agents read them unquoted. */
function diffOf(path: string, ours: string, theirs: string): string {
  const name = path.replaceAll(/\p{Cc}/gu, "?");
  return unifiedDiff({ label: "ours", text: ours }, { label: "theirs", text: theirs }).replace(
    /^--- .*\n\+\+\+ .*\n/,
    () => `--- ${name} (ours)\n+++ ${name} (theirs)\n`,
  );
}

/** If one side deleted the file, its sections are not merged: the empty side would delete them. */
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
  const resolution = withSecrets(file, content);
  const conflicts = pending.conflicts.map((other) =>
    other === file ? { ...file, resolved: true, resolution } : other,
  );
  await writePending(context.place, { ...pending, conflicts });
  return {
    status: "resolved",
    file_path: file.file_path,
    remaining: conflicts.filter(({ resolved }) => !resolved).length,
  };
}

/** The secrets that `conflictDetail` did not show stay in the file. The caller never had them, so they are not checked. */
function withSecrets(file: PendingFile, content: string): string {
  const sides = [file.ours_content, file.theirs_content].filter((text) => text !== null);
  const merged = file.file_path.endsWith(".md") ? (analyse(file).auto_merged_content ?? []) : [];
  const restored = restoreRedacted(content, { wholes: sides.concat(merged), sides });
  if ("text" in restored) return restored.text;
  throw new DomainError(
    "invalid_input",
    `"${restored.unknown}" stands for a secret that cannot be told from the two sides. Repeat the line as one side has it, or pull with the strategy ours or theirs.`,
    { reason: "redacted" },
  );
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
