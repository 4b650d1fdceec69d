import { unifiedDiff } from "../../../core/diff/unified.ts";
import { mergeMarkdown } from "../merge/markdown-merge.ts";
import { type PendingFile, pendingFile, readPending, requirePending } from "./pending.ts";
import type { SyncDesk } from "./sync-context.ts";

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
        ours_preview: previewOf(ours_content),
        theirs_preview: previewOf(theirs_content),
        resolved,
      })),
      auto_resolved: pending.auto_resolved,
    },
  };
}

const previewOf = (text: string | null): string =>
  (text ?? "").slice(0, PREVIEW).replace(/\p{Surrogate}$/u, "");

export function conflictDetail(desk: SyncDesk, filePath: string) {
  const file = pendingFile(requirePending(desk.place, ""), filePath);
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
