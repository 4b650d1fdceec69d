import { z } from "zod";
import { ChosenEmbedding, showChosenEmbedding } from "../../../core/search/embedders/embed-by-choice.ts";

const Problem = z.object({
  kind: z.enum(["source", "failed", "skipped", "gone"]).describe("What it concerns: the source, or an item"),
  source_id: z.string().nullable(),
  reason: z.string(),
});
export type Problem = z.output<typeof Problem>;

/** What one run did for one source. */
export const SourceReport = z.object({
  source: z.string(),
  status: z.enum(["ok", "partial", "failed"]),
  found: z.int().describe("Items the source has now"),
  written: z.int().describe("Documents added or replaced"),
  unchanged: z.int(),
  removed: z.int().describe("Documents of deleted items"),
  skipped: z.int().describe("Items that could not become documents"),
  failed: z.int().describe("Items that could not be read this time; their documents stay"),
  chunks: z.int().describe("Chunks written"),
  reused: z.int().describe("Documents of packages that were prepared before, here or for another project"),
  complete: z.boolean().describe("The run was complete, so the checkpoint moved"),
  checkpoint: z.string().nullable().describe("Time of the last complete run"),
  problems: z.array(Problem),
});
export type SourceReport = z.output<typeof SourceReport>;

export const emptyReport = (source: string): SourceReport => ({
  source,
  status: "ok",
  found: 0,
  written: 0,
  unchanged: 0,
  removed: 0,
  skipped: 0,
  failed: 0,
  chunks: 0,
  reused: 0,
  complete: false,
  checkpoint: null,
  problems: [],
});

export const SyncReport = z.object({
  dry_run: z.boolean(),
  sources: z.array(SourceReport),
  embedding: ChosenEmbedding.optional().describe("The configured model, if there is one"),
});
export type SyncReport = z.output<typeof SyncReport>;

const MOST_SHOWN = 20;

export function showReport({ dry_run, sources, embedding }: SyncReport): string {
  const shown = sources.map((source) => (dry_run ? showDryRun(source) : showRun(source)));
  return [...shown, ...(embedding ? [showChosenEmbedding(embedding)] : [])].join("\n");
}

function showRun(report: SourceReport): string {
  return [
    `sync ${report.source}`,
    `  fetched: ${report.found} items`,
    `  upserted documents: ${report.written}`,
    `  unchanged documents: ${report.unchanged}`,
    `  removed documents: ${report.removed}`,
    `  chunks written: ${report.chunks}`,
    ...(report.reused > 0 ? [`  prepared before, for any project: ${report.reused}`] : []),
    `  extraction skipped: ${report.skipped}`,
    ...(report.failed > 0 ? [`  failed: ${report.failed}`] : []),
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
  const shown = problems.slice(0, MOST_SHOWN).map(({ kind, source_id, reason }) => {
    const what = kind === "source" ? "problem" : kind;
    return `  ${source_id === null ? what : `${what} ${source_id}`}: ${reason}`;
  });
  const more = problems.length - shown.length;
  return more > 0 ? [...shown, `  and ${more} more`] : shown;
}
