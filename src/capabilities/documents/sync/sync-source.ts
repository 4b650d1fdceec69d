import { DomainError } from "../../../core/errors.ts";
import { byCodeUnit } from "../../../core/order.ts";
import type { Progress } from "../../../core/progress.ts";
import type { Connector, Content, Item, Listing } from "../connectors/connector.ts";
import type { Extractor } from "../formats/extractor.ts";
import type { Library } from "../library.ts";
import { isoOf } from "../timestamps.ts";
import { compose, type Draft } from "./compose.ts";
import { inOrder } from "./in-order.ts";
import { type Entry, readEntries, readSources, recordRun } from "./ledger.ts";
import type { Cutting } from "./recut.ts";
import type { SourceReport } from "./report.ts";
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
    if (tools.signal.aborted) throw thrown;
    if (!(thrown instanceof DomainError)) throw thrown;
    run.fail(thrown.message);
  }
  return run.finish();
}

type Outcome =
  | { readonly item: Item; readonly draft: Draft; readonly stamp: string }
  | { readonly item: Item; readonly unchanged: string | undefined }
  | { readonly item: Item; readonly gone: true }
  | { readonly item: Item; readonly skipped: string; readonly stamp: string }
  | { readonly item: Item; readonly failed: string };

class Run {
  readonly #connector: Connector;
  readonly #options: SyncOptions;
  readonly #tools: SyncTools;
  readonly #writer: SourceWriter;
  readonly #known: ReadonlyMap<string, Entry>;
  readonly #problems: { source_id: string | null; reason: string }[] = [];
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
    this.#counts.removed = problems.length > 0 ? 0 : this.#missing(items).length;
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
    for await (const outcome of inOrder(toRead, this.#connector.parallel, (item) => this.#read(item))) {
      this.#tools.signal.throwIfAborted();
      this.#apply(outcome);
      done += 1;
      if (!this.#writer.isFull) continue;
      await this.#writer.commit();
      step();
    }
    const { since, until, limit } = this.#options;
    const isNarrowed = since !== undefined || until !== undefined || limit !== undefined;
    if (!isNarrowed && problems.length === 0) this.#removeMissing(items);
    await this.#writer.commit();
    step();
    this.#isComplete = !isNarrowed && problems.length === 0 && this.#counts.failed === 0;
  }

  fail(reason: string): void {
    this.#status = "failed";
    this.#problems.push({ source_id: null, reason });
  }

  finish(): SourceReport {
    const error =
      this.#problems.find(({ source_id }) => source_id === null)?.reason ?? this.#firstFailure ?? null;
    const { library, now } = this.#tools;
    const source = this.#connector.label;
    recordRun(library.store, { source, at: now(), isComplete: this.#isComplete, error });
    return this.#report();
  }

  #firstFailure: string | undefined;

  #note(problems: readonly string[]): void {
    if (problems.length > 0) this.#status = "partial";
    for (const reason of problems) this.#problems.push({ source_id: null, reason });
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
    return toRead.sort((a, b) => byCodeUnit(a.sourceId, b.sourceId)).slice(0, limit);
  }

  #countKnown({ sourceId }: Item, { skipped }: Entry): void {
    if (skipped === null) this.#counts.unchanged += 1;
    else this.#skip(sourceId, skipped);
  }

  async #read(item: Item): Promise<Outcome> {
    const { signal } = this.#tools;
    try {
      const entry = this.#known.get(item.sourceId);
      // A full run must not be answered "unchanged".
      const reading = await item.read(this.#options.full ? undefined : entry, signal);
      if (reading.kind === "content") return await this.#extract(item, reading);
      if (reading.kind === "unchanged") return { item, unchanged: reading.stamp };
      if (reading.kind === "gone") return { item, gone: true };
      if (reading.kind === "failed") return { item, failed: reading.reason };
      return { item, skipped: reading.reason, stamp: reading.stamp ?? "" };
    } catch (thrown) {
      if (signal.aborted || !(thrown instanceof DomainError)) throw thrown;
      return { item, failed: thrown.message };
    }
  }

  async #extract(item: Item, content: Content): Promise<Outcome> {
    const { extractor, now } = this.#tools;
    const { format, bytes, contentType: mediaType, stamp } = content;
    const extraction = await extractor.extract({ format, bytes, mediaType });
    if ("unreadable" in extraction) return { item, skipped: extraction.unreadable, stamp };
    const place = { source: this.#connector.label, sourceId: item.sourceId, now: now() };
    return { item, draft: compose(place, content, extraction), stamp };
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
    } else if ("gone" in outcome) this.#remove(sourceId);
    else if ("skipped" in outcome) {
      this.#skip(sourceId, outcome.skipped);
      this.#writer.remove(sourceId, { stamp: outcome.stamp, hash: null, skipped: outcome.skipped });
    } else {
      this.#counts.failed += 1;
      this.#status = "partial";
      this.#firstFailure ??= `${sourceId}: ${outcome.failed}`;
      this.#problems.push({ source_id: sourceId, reason: outcome.failed });
    }
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
    this.#counts.written += 1;
    this.#writer.put(draft, next);
  }

  #skip(sourceId: string, reason: string): void {
    this.#counts.skipped += 1;
    this.#problems.push({ source_id: sourceId, reason });
  }

  #remove(sourceId: string): void {
    if (!this.#known.has(sourceId)) return;
    if (this.#known.get(sourceId)?.skipped === null) this.#counts.removed += 1;
    this.#writer.remove(sourceId);
  }

  #missing(items: readonly Item[]): string[] {
    const present = new Set(items.map(({ sourceId }) => sourceId));
    return [...this.#known.keys()].filter((sourceId) => !present.has(sourceId));
  }

  #removeMissing(items: readonly Item[]): void {
    for (const sourceId of this.#missing(items)) this.#remove(sourceId);
  }

  #report(): SourceReport {
    const { failed: _, ...counts } = this.#counts;
    const { label } = this.#connector;
    const checkpoint = readSources(this.#tools.library.store).find(
      ({ source }) => source === label,
    )?.last_complete;
    return {
      source: label,
      status: this.#status,
      ...counts,
      chunks: this.#writer.chunksWritten,
      complete: this.#isComplete,
      checkpoint: checkpoint == null ? null : isoOf(checkpoint),
      problems: this.#problems.sort((a, b) => byCodeUnit(a.source_id ?? "", b.source_id ?? "")),
    };
  }
}

const isWithin = (time: number, since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY) =>
  time >= since && time <= until;
