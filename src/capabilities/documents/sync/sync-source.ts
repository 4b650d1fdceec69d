import { byCodeUnit } from "../../../core/order.ts";
import type { Progress } from "../../../core/progress.ts";
import type { Connector, Item, Listing } from "../connectors/connector.ts";
import type { Extractor } from "../formats/extractor.ts";
import type { Library } from "../library.ts";
import { isoOf } from "../timestamps.ts";
import type { Draft } from "./compose.ts";
import { inOrder } from "./in-order.ts";
import { type Entry, readEntries, readSources, recordRun } from "./ledger.ts";
import { type Outcome, readItem, whyFailed } from "./read-item.ts";
import type { Cutting } from "./recut.ts";
import type { Problem, SourceReport } from "./report.ts";
import { SourceWriter } from "./writer.ts";

export interface SyncOptions {
  /** Read everything again; what proves to be the same is still not written again. */
  readonly full: boolean;
  readonly dryRun: boolean;
  /** Seconds since 1970, inclusive. */
  readonly since: number | undefined;
  readonly until: number | undefined;
  /** Most items to read. */
  readonly limit: number | undefined;
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
  const run = new Run(connector, options, tools);
  try {
    tools.progress.report({ done: 0, label: connector.label });
    const listing = await connector.list(tools.signal);
    if (options.dryRun) return run.rehearse(listing);
    await run.perform(listing);
  } catch (thrown) {
    tools.signal.throwIfAborted();
    run.fail(whyFailed(thrown));
  }
  return run.finish();
}

class Run {
  readonly #connector: Connector;
  readonly #options: SyncOptions;
  readonly #tools: SyncTools;
  readonly #writer: SourceWriter;
  readonly #known: ReadonlyMap<string, Entry>;
  readonly #problems: Problem[] = [];
  #counts = { found: 0, written: 0, unchanged: 0, removed: 0, skipped: 0, failed: 0 };
  #status: SourceReport["status"] = "ok";
  #isComplete = false;

  constructor(connector: Connector, options: SyncOptions, tools: SyncTools) {
    this.#connector = connector;
    this.#options = options;
    this.#tools = tools;
    this.#writer = new SourceWriter(tools.library, connector.label, tools.cutting);
    this.#known = readEntries(tools.library.store, connector.label);
  }

  rehearse({ items, problems }: Listing): SourceReport {
    this.#note(problems);
    this.#counts.found = items.length;
    this.#counts.written = this.#toRead(items).length;
    this.#counts.removed = this.#missing(items, problems).filter((id) => this.#hasDocument(id)).length;
    return this.#report();
  }

  async perform({ items, problems }: Listing): Promise<void> {
    this.#note(problems);
    this.#counts.found = items.length;
    const { progress } = this.#tools;
    const toRead = this.#toRead(items);
    let done = items.length - toRead.length;
    const step = () => progress.report({ done, total: items.length, label: this.#connector.label });
    step();
    let committedAt = this.#tools.now();
    try {
      for await (const outcome of inOrder(toRead, this.#connector.parallel, (item) => this.#read(item))) {
        this.#tools.signal.throwIfAborted();
        this.#apply(outcome);
        done += 1;
        if (!this.#writer.isFull && this.#tools.now() - committedAt < COMMIT_AFTER_S) continue;
        await this.#writer.commit();
        committedAt = this.#tools.now();
        step();
      }
      for (const sourceId of this.#missing(items, problems)) this.#remove(sourceId);
    } finally {
      // Also what came before an abort is kept.
      await this.#writer.commit();
    }
    step();
    this.#isComplete = !this.#isNarrowed && problems.length === 0 && this.#counts.failed === 0;
  }

  fail(reason: string): void {
    this.#status = "failed";
    this.#problems.push({ kind: "source", source_id: null, reason });
  }

  finish(): SourceReport {
    if (this.#options.dryRun) return this.#report();
    const error =
      this.#problems.find(({ source_id }) => source_id === null)?.reason ?? this.#firstFailure ?? null;
    const { library, now } = this.#tools;
    const source = this.#connector.label;
    const wasReached = this.#status !== "failed";
    recordRun(library.store, { source, at: now(), wasReached, isComplete: this.#isComplete, error });
    return this.#report();
  }

  #firstFailure: string | undefined;

  #note(problems: readonly string[]): void {
    if (problems.length > 0) this.#status = "partial";
    for (const reason of problems) this.#problems.push({ kind: "source", source_id: null, reason });
  }

  /** Counts what needs no reading on the way. */
  #toRead(items: readonly Item[]): Item[] {
    const { full, since, until, limit = Number.POSITIVE_INFINITY } = this.#options;
    const toRead: Item[] = [];
    for (const item of items) {
      if (item.updatedAt !== undefined && !isWithin(item.updatedAt, since, until)) continue;
      const entry = this.#known.get(item.sourceId);
      if (!full && entry !== undefined && item.stamp !== undefined && entry.stamp === item.stamp) {
        this.#countKnown(item, entry);
      } else toRead.push(item);
    }
    // What is not known yet comes first, so that runs with a limit get further.
    const rank = ({ sourceId }: Item) => (this.#known.has(sourceId) ? 1 : 0);
    return toRead.sort((a, b) => rank(a) - rank(b) || byCodeUnit(a.sourceId, b.sourceId)).slice(0, limit);
  }

  #read(item: Item): Promise<Outcome> {
    const { extractor, signal, now } = this.#tools;
    // A full run must not be answered "unchanged".
    const known = this.#options.full ? undefined : this.#known.get(item.sourceId);
    return readItem(item, known, { source: this.#connector.label, extractor, signal, now });
  }

  #countKnown({ sourceId }: Item, { skipped }: Entry): void {
    if (skipped === null) this.#counts.unchanged += 1;
    else this.#skip(sourceId, skipped);
  }

  #apply(outcome: Outcome): void {
    const { sourceId } = outcome.item;
    const entry = this.#known.get(sourceId);
    if ("draft" in outcome) this.#applyDraft(outcome.draft, outcome.stamp, entry);
    else if ("unchanged" in outcome) {
      this.#counts.unchanged += 1;
      if (entry && outcome.unchanged !== undefined) {
        this.#writer.note(sourceId, { ...entry, stamp: outcome.unchanged });
      }
    } else if ("gone" in outcome) {
      this.#remove(sourceId);
      const { gone: reason } = outcome;
      if (reason !== undefined) this.#problems.push({ kind: "gone", source_id: sourceId, reason });
    } else if ("skipped" in outcome) {
      this.#skip(sourceId, outcome.skipped);
      this.#writer.remove(sourceId, { stamp: outcome.stamp, hash: null, skipped: outcome.skipped });
    } else this.#failItem(sourceId, outcome.failed);
  }

  #applyDraft(draft: Draft, stamp: string, entry: Entry | undefined): void {
    const { since, until } = this.#options;
    if (!isWithin(draft.updatedAt, since, until)) return;
    const next = { stamp, hash: draft.hash, skipped: null };
    if (entry?.hash === draft.hash) {
      this.#counts.unchanged += 1;
      if (entry.stamp !== stamp) this.#writer.note(draft.sourceId, next);
      return;
    }
    try {
      this.#writer.put(draft, next);
      this.#counts.written += 1;
    } catch (thrown) {
      this.#failItem(draft.sourceId, whyFailed(thrown));
    }
  }

  #failItem(sourceId: string, reason: string): void {
    this.#counts.failed += 1;
    this.#status = "partial";
    this.#firstFailure ??= `${sourceId}: ${reason}`;
    this.#problems.push({ kind: "failed", source_id: sourceId, reason });
  }

  #skip(sourceId: string, reason: string): void {
    this.#counts.skipped += 1;
    this.#problems.push({ kind: "skipped", source_id: sourceId, reason });
  }

  #remove(sourceId: string): void {
    if (!this.#known.has(sourceId)) return;
    if (this.#hasDocument(sourceId)) this.#counts.removed += 1;
    this.#writer.remove(sourceId);
  }

  #hasDocument(sourceId: string): boolean {
    return this.#known.get(sourceId)?.skipped === null;
  }

  get #isNarrowed(): boolean {
    const { since, until, limit } = this.#options;
    return since !== undefined || until !== undefined || limit !== undefined;
  }

  /** What is known and not listed any more; nothing as long as the listing may not be whole. */
  #missing(items: readonly Item[], problems: readonly string[]): string[] {
    if (this.#isNarrowed || problems.length > 0) return [];
    const present = new Set(items.map(({ sourceId }) => sourceId));
    return [...this.#known.keys()].filter((sourceId) => !present.has(sourceId));
  }

  #report(): SourceReport {
    const { label } = this.#connector;
    const checkpoint = readSources(this.#tools.library.store).find(
      ({ source }) => source === label,
    )?.last_complete;
    return {
      source: label,
      status: this.#status,
      ...this.#counts,
      chunks: this.#writer.chunksWritten,
      complete: this.#isComplete,
      checkpoint: checkpoint == null ? null : isoOf(checkpoint),
      problems: this.#problems.sort((a, b) => byCodeUnit(a.source_id ?? "", b.source_id ?? "")),
    };
  }
}

const isWithin = (time: number, since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY) =>
  time >= since && time <= until;
