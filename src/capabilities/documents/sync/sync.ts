import { DomainError } from "../../../core/errors.ts";
import { acquireLock } from "../../../core/lock/lock.ts";
import type { Machine } from "../../../core/machine.ts";
import { type Progress, silentProgress } from "../../../core/progress.ts";
import type { Call } from "../../../core/tool.ts";
import { configuredLabels, openConnector, selectLabels } from "../connectors/open-connectors.ts";
import { openExtractor } from "../formats/extractor.ts";
import type { Library, Shelf } from "../library.ts";
import { projectDirectory } from "../places.ts";
import { sinceBound, untilBound } from "../timestamps.ts";
import { readEntries, readSources } from "./ledger.ts";
import { cuttingFor, recut } from "./recut.ts";
import type { SourceReport, SyncReport } from "./report.ts";
import { type SyncOptions, type SyncTools, syncSource } from "./sync-source.ts";
import { SourceWriter } from "./writer.ts";

export interface SyncRequest {
  readonly target: string;
  readonly full: boolean;
  readonly dry_run: boolean;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly limit?: number | undefined;
  readonly progress?: "human" | "json" | "none";
}

/** Brings the chosen sources up to date, one after the other; one process at a time. */
export async function sync(
  machine: Machine,
  shelf: Shelf,
  request: SyncRequest,
  call: Pick<Call, "signal" | "progress">,
): Promise<SyncReport> {
  const config = await machine.config();
  const labels = selectLabels(config, request.target);
  const options = optionsOf(request);
  const lock = await acquireLock({
    directory: projectDirectory(machine),
    name: "documents",
    purpose: "syncing documents",
    signal: call.signal,
  });
  try {
    return await syncLabels(machine, await shelf.forWriting(), { labels, options, request, call });
  } finally {
    lock.release();
  }
}

interface Work {
  readonly labels: readonly string[];
  readonly options: SyncOptions;
  readonly request: SyncRequest;
  readonly call: Pick<Call, "signal" | "progress">;
}

async function syncLabels(
  machine: Machine,
  library: Library,
  { labels, options, request, call }: Work,
): Promise<SyncReport> {
  const config = await machine.config();
  const extractor = openExtractor();
  const { max_tokens: maxTokens, overlap_tokens: overlapTokens } = config.chunking;
  const tools: SyncTools = {
    library,
    extractor,
    cutting: cuttingFor({ maxTokens, overlapTokens }, (await library.embeddings.quick()) !== undefined),
    progress: progressFor(request.progress, call.progress),
    signal: call.signal,
    now: () => Math.floor(machine.now().getTime() / 1_000),
  };
  try {
    const sources: SourceReport[] = [];
    for (const label of labels) sources.push(await syncLabel(label, machine, options, tools));
    if (!options.dryRun) {
      if (request.target === "all") await dropUnconfigured(library, configuredLabels(config), tools);
      await recut(library, tools.cutting, call.signal);
    }
    return { dry_run: options.dryRun, sources };
  } finally {
    await extractor.close();
  }
}

/** JSON lines are notes, so that every step is printed. */
function progressFor(form: SyncRequest["progress"], progress: Progress): Progress {
  if (form === "none") return silentProgress;
  if (form !== "json") return progress;
  return {
    note: () => {},
    report({ done, total, label: connector }) {
      const phase = total === undefined ? "discovering" : "ingesting";
      progress.note(JSON.stringify({ event: "progress", connector, phase, n: done, total: total ?? null }));
    },
  };
}

function optionsOf({ full, dry_run, since, until, limit }: SyncRequest): SyncOptions {
  return {
    full,
    dryRun: dry_run,
    since: since === undefined ? undefined : sinceBound(since, "since"),
    until: until === undefined ? undefined : untilBound(until, "until"),
    limit,
  };
}

async function syncLabel(
  label: string,
  machine: Machine,
  options: SyncOptions,
  tools: SyncTools,
): Promise<SourceReport> {
  const connector = await openConnector(label, await machine.config(), machine).catch((thrown: unknown) => {
    if (thrown instanceof DomainError) return thrown;
    throw thrown;
  });
  if (!(connector instanceof DomainError)) return syncSource(connector, options, tools);
  // A source that is configured wrongly fails alone; the others go on.
  const none = { found: 0, written: 0, unchanged: 0, removed: 0, skipped: 0, chunks: 0 };
  const problems = [{ source_id: null, reason: connector.message }];
  return { source: label, status: "failed", ...none, complete: false, checkpoint: null, problems };
}

/** A connector taken out of the configuration takes its documents along. */
async function dropUnconfigured(
  library: Library,
  configured: readonly string[],
  { cutting }: SyncTools,
): Promise<void> {
  const stored = readSources(library.store).map(({ source }) => source);
  for (const source of stored.filter((label) => !configured.includes(label))) {
    const writer = new SourceWriter(library, source, cutting);
    for (const sourceId of readEntries(library.store, source).keys()) writer.remove(sourceId);
    await writer.commit();
    library.store.prepare("DELETE FROM sources WHERE source = ?").run(source);
  }
}
