import { isWithin, type Selection } from "./choose-items.ts";
import type { Draft } from "./compose.ts";
import { type Entry, hasDocument } from "./ledger.ts";
import { type Outcome, whyFailed } from "./read-item.ts";
import type { Tally } from "./tally.ts";
import type { SourceWriter } from "./writer.ts";

/** One source while it is brought up to date. */
export interface Run {
  readonly selection: Selection;
  /** What the book said when the run began, by source id. */
  readonly known: ReadonlyMap<string, Entry>;
  readonly writer: SourceWriter;
  readonly tally: Tally;
}

/** Hands what became of an item to the writer, and counts it. */
export function applyOutcome(outcome: Outcome, run: Run): void {
  const { writer, tally } = run;
  const { sourceId } = outcome.item;
  if ("draft" in outcome) applyDraft(outcome.draft, outcome.stamp, run);
  else if ("unchanged" in outcome) keepItem(sourceId, outcome.unchanged, run);
  else if ("gone" in outcome) {
    removeItem(sourceId, run);
    if (outcome.gone !== undefined) tally.miss(sourceId, outcome.gone);
  } else if ("skipped" in outcome) {
    tally.skip(sourceId, outcome.skipped);
    writer.remove(sourceId, { stamp: outcome.stamp, hash: null, skipped: outcome.skipped });
  } else tally.fail(sourceId, outcome.failed);
}

function applyDraft(draft: Draft, stamp: string, { selection, known, writer, tally }: Run): void {
  if (!isWithin(draft.updatedAt, selection)) return;
  const before = known.get(draft.sourceId);
  const entry = { stamp, hash: draft.hash, skipped: null };
  if (before?.hash === draft.hash) {
    tally.count("unchanged");
    if (before.stamp !== stamp) writer.note(draft.sourceId, entry);
    return;
  }
  try {
    writer.put(draft, entry);
    tally.count("written");
  } catch (thrown) {
    tally.fail(draft.sourceId, whyFailed(thrown));
  }
}

function keepItem(sourceId: string, stamp: string | undefined, { known, writer, tally }: Run): void {
  tally.count("unchanged");
  const entry = known.get(sourceId);
  if (entry && stamp !== undefined) writer.note(sourceId, { ...entry, stamp });
}

export function removeItem(sourceId: string, { known, writer, tally }: Run): void {
  const entry = known.get(sourceId);
  if (entry === undefined) return;
  if (hasDocument(entry)) tally.count("removed");
  writer.remove(sourceId);
}
