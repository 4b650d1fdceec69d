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
  found: z.int().describe("Items that the source listed"),
  only_updated: z
    .boolean()
    .describe("It listed only what was updated since the last complete run, so nothing counts as deleted"),
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
  only_updated: false,
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
/** Of the items with the same problem. */
const MOST_NAMED = 3;

export function showReport({ dry_run, sources, embedding }: SyncReport): string {
  const shown = sources.map((source) => (dry_run ? showDryRun(source) : showRun(source)));
  return [...shown, ...(embedding ? [showChosenEmbedding(embedding)] : [])].join("\n");
}

function showRun(report: SourceReport): string {
  return [
    `sync ${report.source}`,
    `  fetched: ${report.found} items${report.only_updated ? ", only what was updated since the last sync" : ""}`,
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

/** A line for each reason: a source that refuses requests refuses them for many items. */
function showProblems({ problems }: SourceReport): string[] {
  const byReason = new Map<string, Problem[]>();
  for (const problem of problems) {
    const key = JSON.stringify([problem.kind, problem.reason, problem.source_id === null]);
    byReason.set(key, [...(byReason.get(key) ?? []), problem]);
  }
  const groups = [...byReason.values()];
  const shown = groups.slice(0, MOST_SHOWN).map(showSameProblem);
  const left = groups.slice(MOST_SHOWN).flat().length;
  return left > 0 ? [...shown, `  and ${left} more`] : shown;
}

function showSameProblem(problems: readonly Problem[]): string {
  const [first] = problems;
  if (first === undefined) return "";
  const what = first.kind === "source" ? "problem" : first.kind;
  const named = problems.flatMap(({ source_id }) => source_id ?? []);
  const more = named.length > MOST_NAMED ? ", …" : "";
  if (named.length > 1)
    return `  ${what} ${named.length} items: ${first.reason} (${named.slice(0, MOST_NAMED).join(", ")}${more})`;
  return `  ${[what, ...named].join(" ")}: ${first.reason}`;
}
