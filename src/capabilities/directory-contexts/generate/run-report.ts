import { byCodeUnit } from "../../../core/order.ts";
import type { GenerationReport } from "../reports.ts";
import type { Merged } from "./merge.ts";

export const emptyReport = (
  run: Pick<GenerationReport, "root" | "dry_run" | "warnings">,
): GenerationReport => ({
  ...run,
  created: [],
  updated: [],
  unchanged: 0,
  kept: [],
  skipped: [],
  failed: [],
  agents_md: "skipped",
});

/** Tells what became of one context; `before` is the text it had. */
export function note(
  report: GenerationReport,
  { scope, before }: { scope: string; before?: string | undefined },
  merged: Merged,
): void {
  if (before === undefined) report.created.push(scope);
  else if (merged.text === before) report.unchanged += 1;
  else report.updated.push(scope);
  if (before !== undefined && merged.kept.length > 0) {
    report.kept.push({ scope, fields: [...merged.kept] });
  }
}

/** Sorted, whatever was written first. */
export function finished(report: GenerationReport): GenerationReport {
  const byScope = (a: { scope: string }, b: { scope: string }) => byCodeUnit(a.scope, b.scope);
  report.created.sort(byCodeUnit);
  report.updated.sort(byCodeUnit);
  report.kept.sort(byScope);
  report.skipped.sort(byScope);
  report.failed.sort(byScope);
  return report;
}
