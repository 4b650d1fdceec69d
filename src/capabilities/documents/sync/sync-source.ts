import type { Progress } from "../../../core/progress.ts";
import type { Connector, Item, Listing } from "../connectors/connector.ts";
import type { Extractor } from "../formats/extractor.ts";
import type { Library } from "../library.ts";
import { isoOf } from "../timestamps.ts";
import { applyOutcome, type Run, removeItem } from "./apply-outcome.ts";
import { type Choice, chooseItems, isNarrowed, type Selection } from "./choose-items.ts";
import { inOrder } from "./in-order.ts";
import { hasDocument, readEntries, readSources, recordRun } from "./ledger.ts";
import { readItem, whyFailed } from "./read-item.ts";
import type { Cutting } from "./recut.ts";
import type { SourceReport } from "./report.ts";
import { Tally } from "./tally.ts";
import { SourceWriter } from "./writer.ts";

export interface SyncOptions extends Selection {
  readonly dryRun: boolean;
}
export interface SyncTools {
  readonly library: Library;
  readonly extractor: Extractor;
  readonly cutting: Cutting;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Seconds since 1970. */
  now(): number;
}

/** Work is committed at least this often: a slow source must not lose much, and progress tells what is safe. */
const COMMIT_AFTER_S = 2;

/** Brings one source up to date. Everything committed stays, whatever happens after it. */
export async function syncSource(
  connector: Connector,
  options: SyncOptions,
  tools: SyncTools,
): Promise<SourceReport> {
  const { library, cutting, progress, signal } = tools;
  const source = connector.label;
  const run: Run = {
    selection: options,
    known: readEntries(library.store, source),
    writer: new SourceWriter(library, source, cutting),
    tally: new Tally(),
  };
  try {
    progress.report({ done: 0, label: source });
    const listing = await connector.list(signal);
    const choice = begin(listing, run);
    if (options.dryRun) rehearse(choice, run);
    else await perform(listing, choice, { run, connector, tools });
  } catch (thrown) {
    signal.throwIfAborted();
    run.tally.failRun(whyFailed(thrown));
  }
  return finish(source, run, { options, tools });
}

/** Chooses what to do, and counts what is told by the listing alone. */
function begin(listing: Listing, { known, selection, tally }: Run): Choice {
  for (const reason of listing.problems) tally.lack(reason);
  for (const reason of listing.leftOut ?? []) tally.leaveOut(reason);
  tally.count("found", listing.items.length);
  const choice = chooseItems(listing, known, selection);
  for (const [sourceId, { skipped }] of choice.same) {
    if (skipped === null) tally.count("unchanged");
    else tally.skip(sourceId, skipped);
  }
  return choice;
}

function rehearse({ toRead, left }: Choice, { known, tally }: Run): void {
  tally.count("written", toRead.length);
  tally.count("removed", left.filter((sourceId) => hasDocument(known.get(sourceId))).length);
}

async function perform(
  { items }: Listing,
  { toRead, left }: Choice,
  { run, connector, tools }: { readonly run: Run; readonly connector: Connector; readonly tools: SyncTools },
): Promise<void> {
  const { extractor, progress, signal } = tools;
  const { selection, known, writer } = run;
  const { label: source, parallel } = connector;
  const read = (item: Item) => {
    // A full run must not be answered "unchanged".
    const before = selection.full ? undefined : known.get(item.sourceId);
    return readItem(item, before, { source, extractor, signal, now: tools.now });
  };
  let done = items.length - toRead.length;
  const step = () => progress.report({ done, total: items.length, label: source });
  step();
  let committedAt = tools.now();
  try {
    for await (const outcome of inOrder(toRead, parallel, read)) {
      signal.throwIfAborted();
      applyOutcome(outcome, run);
      done += 1;
      if (!writer.isFull && tools.now() - committedAt < COMMIT_AFTER_S) continue;
      await writer.commit();
      committedAt = tools.now();
      step();
    }
    for (const sourceId of left) removeItem(sourceId, run);
  } finally {
    // Also what came before an abort is kept.
    await writer.commit();
  }
  step();
}

/** A rehearsal leaves no trace. */
function finish(
  source: string,
  { tally, writer }: Run,
  { options, tools }: { readonly options: SyncOptions; readonly tools: SyncTools },
): SourceReport {
  const { store } = tools.library;
  const { status, error } = tally;
  const complete = !options.dryRun && !isNarrowed(options) && status === "ok";
  if (!options.dryRun) {
    recordRun(store, {
      source,
      at: tools.now(),
      wasReached: status !== "failed",
      isComplete: complete,
      error,
    });
  }
  const checkpoint = readSources(store).find((row) => row.source === source)?.last_complete;
  return {
    source,
    ...tally.report(),
    chunks: writer.chunksWritten,
    complete,
    checkpoint: checkpoint == null ? null : isoOf(checkpoint),
  };
}
