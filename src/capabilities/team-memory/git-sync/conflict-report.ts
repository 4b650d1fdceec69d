import { unifiedDiff } from "../../../core/diff/unified.ts";
import { mergeMarkdown } from "../merge/markdown-merge.ts";
import { type PendingFile, pendingFile, readPending, requirePending } from "./pending.ts";
import type { ConflictDetail, MergeStatus } from "./results.ts";
import type { SyncContext } from "./sync-context.ts";

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
