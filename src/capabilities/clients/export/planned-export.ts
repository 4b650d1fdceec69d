import type { FileRefusal } from "../edit/config-file.ts";
import { fileDiff } from "../edit/file-diff.ts";
import type { RuleFile } from "./rule-file.ts";

/** What export would do to one file. */
export interface PlannedExport {
  readonly file: string;
  readonly action: "create" | "change" | "remove" | "unchanged" | "skipped" | "refused";
  readonly note: string;
  readonly diff: string;
  /** The text to write; `undefined` if nothing is written. */
  readonly after?: string;
}

export function planned(
  file: string,
  { text: before, isReadOnly }: RuleFile,
  { after, note }: { after: string; note: string },
): PlannedExport {
  if (before === after) return { file, action: "unchanged", note, diff: "" };
  // A read-only file could be replaced, but it is read-only for a reason.
  if (isReadOnly) return skipped(file, { refused: "it is read-only" });
  const action = before === undefined ? "create" : "change";
  return { file, action, note, diff: fileDiff(file, before, after), after };
}

export const skipped = (file: string, { refused }: FileRefusal): PlannedExport => ({
  file,
  action: "skipped",
  note: refused,
  diff: "",
});
