import type { Progress } from "../../../core/progress.ts";
import type { Connector, Item, ListRequest, SourceListing } from "../connectors/connector.ts";
import type { DocumentDatabase } from "../database.ts";
import type { Extractor } from "../formats/extractor.ts";
import { isoOf } from "../timestamps.ts";
import { applyOutcome, removeItem, type SourceRun } from "./apply-outcome.ts";
import { chooseItems, type ItemChoice, isNarrowed, type SyncSelection } from "./choose-items.ts";
import { failureReason, readItem } from "./read-item.ts";
import type { SourceReport } from "./report.ts";
import { SourceReportBuilder } from "./report-builder.ts";
import { hasDocument, readItemRecords, readSources, recordRun } from "./sync-records.ts";
import { SourceWriter, type WriterOptions } from "./writer.ts";

export interface SyncOptions extends SyncSelection {
  readonly dryRun: boolean;
}
export interface SyncTools {
  readonly database: DocumentDatabase;
  readonly extractor: Extractor;
  readonly writing: WriterOptions;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Seconds since 1970. */
  now(): number;
}

/** Commit at least this often: a crash must not lose much of a slow source. */
const COMMIT_AFTER_S = 2;

/** Brings one source up to date. Committed work stays, whatever happens later. */
export async function syncSource(
  connector: Connector,
  options: SyncOptions,
  tools: SyncTools,
): Promise<SourceReport> {
  const { database, writing, progress, signal } = tools;
  const source = connector.label;
  const run: SourceRun = {
    selection: options,
    known: readItemRecords(database.store, source),
    writer: new SourceWriter(database, source, writing),
    report: new SourceReportBuilder(),
  };
  const startedAt = tools.now();
  try {
    progress.report({ done: 0, label: source });
    const listing = await connector.list(signal, listRequest(run, source, tools));
    const choice = chooseFrom(listing, run);
    if (options.dryRun) countDryRun(choice, run);
    else await readAndWrite(listing, choice, { run, connector, tools });
  } catch (thrown) {
    signal.throwIfAborted();
    run.report.failRun(failureReason(thrown));
  }
  return finish(source, run, { options, tools, startedAt });
}

function listRequest({ selection, known }: SourceRun, source: string, { database }: SyncTools): ListRequest {
  const { full, topics } = selection;
  const row = readSources(database.store).find((stored) => stored.source === source);
  return {
    known,
    readAt: full ? undefined : (row?.last_complete ?? undefined),
    topics,
  };
}

/** Chooses what to do and counts what the listing alone shows. */
function chooseFrom(listing: SourceListing, { known, selection, report }: SourceRun): ItemChoice {
  for (const reason of listing.problems) report.addSourceProblem(reason);
  for (const reason of listing.leftOut ?? []) report.addLeftOut(reason);
  report.count("found", listing.items.length);
  report.listsOnlyUpdated = listing.isPartial ?? false;
  const choice = chooseItems(listing, known, selection);
  for (const [sourceId, { skipped }] of choice.same) {
    if (skipped === null) report.count("unchanged");
    else report.addSkipped(sourceId, skipped);
  }
  return choice;
}

function countDryRun({ toRead, left }: ItemChoice, { known, report }: SourceRun): void {
  report.count("written", toRead.length);
  report.count("removed", left.filter((sourceId) => hasDocument(known.get(sourceId))).length);
}

async function readAndWrite(
  { items }: SourceListing,
  { toRead, left }: ItemChoice,
  {
    run,
    connector,
    tools,
  }: { readonly run: SourceRun; readonly connector: Connector; readonly tools: SyncTools },
): Promise<void> {
  const { extractor, progress, signal } = tools;
  const { selection, known, writer, report } = run;
  const commit = async () => {
    for (const { sourceId, reason } of await writer.commit()) report.addLost(sourceId, reason);
  };
  const { label: source, parallel } = connector;
  const read = (item: Item) => {
    // A full run must not get "unchanged" as an answer.
    const before = selection.full ? undefined : known.get(item.sourceId);
    return readItem(item, before, { source, extractor, signal, now: tools.now });
  };
  let done = items.length - toRead.length;
  const step = () => progress.report({ done, total: items.length, label: source });
  step();
  let committedAt = tools.now();
  let group: string | undefined;
  try {
    for await (const outcome of inOrder(toRead, parallel, read)) {
      signal.throwIfAborted();
      if (outcome.item.group !== group) await commit();
      group = outcome.item.group;
      applyOutcome(outcome, run);
      done += 1;
      const isLong = group === undefined && tools.now() - committedAt >= COMMIT_AFTER_S;
      if (!writer.isFull && !isLong) continue;
      await commit();
      committedAt = tools.now();
      step();
    }
    for (const sourceId of left) removeItem(sourceId, run);
  } finally {
    // Work done before an abort is kept too, unless the user would have to wait for it.
    if (!signal.aborted || writer.isSmall) await commit();
  }
  step();
}

/** Works on up to `width` items at once and yields the results in the order of the items. */
async function* inOrder<T, R>(
  items: Iterable<T>,
  width: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  const next = () => running.shift();
  for (const item of items) {
    const started = work(item);
    // It is awaited later; a failure before that must not be unhandled.
    started.catch(() => {});
    running.push(started);
    if (running.length < width) continue;
    const first = next();
    if (first) yield await first;
  }
  for (let first = next(); first !== undefined; first = next()) yield await first;
}

/** A dry run records nothing. */
function finish(
  source: string,
  { report, writer }: SourceRun,
  {
    options,
    tools,
    startedAt,
  }: { readonly options: SyncOptions; readonly tools: SyncTools; readonly startedAt: number },
): SourceReport {
  const { store } = tools.database;
  const { status, error } = report;
  const complete = !options.dryRun && !isNarrowed(options) && status === "ok";
  if (!options.dryRun) {
    recordRun(store, {
      source,
      reachedAt: status === "failed" ? null : tools.now(),
      // What changed during the run may have been listed before.
      completeAt: complete ? startedAt : null,
      error,
    });
  }
  const checkpoint = readSources(store).find((row) => row.source === source)?.last_complete;
  return {
    source,
    ...report.build(),
    chunks: writer.chunksWritten,
    reused: writer.reused,
    complete,
    checkpoint: checkpoint == null ? null : isoOf(checkpoint),
  };
}
