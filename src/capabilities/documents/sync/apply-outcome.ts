import { isWithin, type SyncSelection } from "./choose-items.ts";
import type { DocumentDraft } from "./compose.ts";
import { MOST_SEARCHED_CHARACTERS } from "./prepare/prepare-drafts.ts";
import { failureReason, type Outcome } from "./read-item.ts";
import type { SourceReportBuilder } from "./report-builder.ts";
import { hasDocument, type ItemRecord } from "./sync-records.ts";
import type { SourceWriter } from "./writer.ts";

/** One source while it is brought up to date. */
export interface SourceRun {
  readonly selection: SyncSelection;
  /** The item records at the start of the run, by source id. */
  readonly known: ReadonlyMap<string, ItemRecord>;
  readonly writer: SourceWriter;
  readonly report: SourceReportBuilder;
}

/** Passes the outcome of an item to the writer and counts it. */
export function applyOutcome(outcome: Outcome, run: SourceRun): void {
  const { writer, report } = run;
  const { sourceId } = outcome.item;
  if ("draft" in outcome) applyDraft(outcome.draft, outcome.stamp, run);
  else if ("unchanged" in outcome) keepItem(sourceId, outcome.unchanged, run);
  else if ("gone" in outcome) {
    removeItem(sourceId, run);
    if (outcome.gone !== undefined) report.addGone(sourceId, outcome.gone);
  } else if ("skipped" in outcome) {
    report.addSkipped(sourceId, outcome.skipped);
    writer.remove(sourceId, { stamp: outcome.stamp, hash: null, skipped: outcome.skipped });
  } else report.addFailed(sourceId, outcome.failed);
}

function applyDraft(
  draft: DocumentDraft,
  stamp: string,
  { selection, known, writer, report }: SourceRun,
): void {
  if (!isWithin(draft.updatedAt, selection)) return;
  const before = known.get(draft.sourceId);
  const entry = { stamp, hash: draft.hash, skipped: null };
  if (before?.hash === draft.hash) {
    report.count("unchanged");
    if (before.stamp !== stamp) writer.updateRecord(draft.sourceId, entry);
    return;
  }
  try {
    writer.put(draft, entry);
    report.count("written");
    if (draft.body.length > MOST_SEARCHED_CHARACTERS) report.addCut(draft.sourceId, MOST_SEARCHED_CHARACTERS);
  } catch (thrown) {
    report.addFailed(draft.sourceId, failureReason(thrown));
  }
}

function keepItem(sourceId: string, stamp: string | undefined, { known, writer, report }: SourceRun): void {
  report.count("unchanged");
  const entry = known.get(sourceId);
  if (entry && stamp !== undefined) writer.updateRecord(sourceId, { ...entry, stamp });
}

export function removeItem(sourceId: string, { known, writer, report }: SourceRun): void {
  const entry = known.get(sourceId);
  if (entry === undefined) return;
  if (hasDocument(entry)) report.count("removed");
  writer.remove(sourceId);
}
