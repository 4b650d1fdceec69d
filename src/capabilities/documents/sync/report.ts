import { z } from "zod";

/** What one run did for one source. */
export const SourceReport = z.object({
  source: z.string(),
  status: z.enum(["ok", "partial", "failed"]),
  found: z.int().describe("Items the source has now"),
  written: z.int().describe("Documents added or replaced"),
  unchanged: z.int(),
  removed: z.int().describe("Documents whose item is gone"),
  skipped: z.int().describe("Items no document could be made of"),
  chunks: z.int().describe("Chunks written"),
  complete: z.boolean().describe("Everything was seen and done, so the checkpoint moved"),
  checkpoint: z.string().nullable().describe("Time of the last complete run"),
  problems: z.array(z.object({ source_id: z.string().nullable(), reason: z.string() })),
});
export type SourceReport = z.output<typeof SourceReport>;

export const SyncReport = z.object({ dry_run: z.boolean(), sources: z.array(SourceReport) });
export type SyncReport = z.output<typeof SyncReport>;

const MOST_SHOWN = 20;

export function showReport({ dry_run, sources }: SyncReport): string {
  return sources.map((source) => (dry_run ? showDryRun(source) : showRun(source))).join("\n");
}

function showRun(report: SourceReport): string {
  return [
    `sync ${report.source}`,
    `  fetched: ${report.found} items`,
    `  upserted documents: ${report.written}`,
    `  unchanged documents: ${report.unchanged}`,
    `  removed documents: ${report.removed}`,
    `  chunks written: ${report.chunks}`,
    `  extraction skipped: ${report.skipped}`,
    `  checkpoint: ${report.checkpoint ?? "none"}`,
    ...showProblems(report),
    report.status,
  ].join("\n");
}

const showDryRun = (report: SourceReport) =>
  [
    `would sync ${report.source}`,
    `  items found: ${report.found}`,
    `  documents to read: ${report.written}`,
    `  documents to remove: ${report.removed}`,
    ...showProblems(report),
  ].join("\n");

function showProblems({ problems }: SourceReport): string[] {
  const shown = problems.slice(0, MOST_SHOWN).map(({ source_id, reason }) => {
    return source_id === null ? `  problem: ${reason}` : `  skipped ${source_id}: ${reason}`;
  });
  const more = problems.length - shown.length;
  return more > 0 ? [...shown, `  and ${more} more`] : shown;
}
