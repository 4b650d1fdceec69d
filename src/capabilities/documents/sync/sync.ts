import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../../core/config/config.ts";
import { DomainError, errnoOf } from "../../../core/errors.ts";
import { acquireLock, type Lock, lockHolder } from "../../../core/lock/lock.ts";
import type { Machine } from "../../../core/machine.ts";
import { type Progress, silentProgress } from "../../../core/progress.ts";
import { type ChosenEmbedding, embedByChoice } from "../../../core/search/embedders/embed-by-choice.ts";
import type { Call } from "../../../core/tool.ts";
import { wikiOf } from "../connectors/forge/github-wiki.ts";
import { cloneName } from "../connectors/git/git-clone.ts";
import { configuredLabels, openConnector, selectLabels } from "../connectors/open-connectors.ts";
import type { DatabaseAccess, DocumentDatabase } from "../database.ts";
import { openExtractor } from "../formats/extractor.ts";
import { clonesDirectory, projectDirectory } from "../places.ts";
import { sinceBound, untilBound } from "../timestamps.ts";
import { isOnDemand } from "../topics.ts";
import { openPreparer } from "./prepare/preparer.ts";
import { ReusedResults, reusingExtractor, reusingPreparer } from "./prepare/reuse.ts";
import { failureReason } from "./read-item.ts";
import { chunkingSettings, rechunk } from "./rechunk.ts";
import { emptyReport, type SourceReport, type SyncReport } from "./report.ts";
import { hasDocument, readItemRecords, storedLabels } from "./sync-records.ts";
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
  /** The topics that questions ask for. Without them a source that is read on demand is read whole. */
  readonly topics?: readonly string[];
  /** A search that reads changed files first. It waits for the sync of another process, which nobody asked for by hand. */
  readonly isForSearch?: boolean;
}

/** How long a search waits for a sync, and a sync for the searches that read changed files. */
const SEARCH_WAIT_MS = 10_000;
const SYNC_WAIT_MS = 60_000;
const SEARCH_PURPOSE = "reading changed documents for a search";

/** Brings the chosen sources up to date, one after the other. Only one process syncs at a time. */
export async function sync(
  machine: Machine,
  access: DatabaseAccess,
  request: SyncRequest,
  call: Pick<Call, "signal" | "progress">,
): Promise<SyncReport> {
  const config = await machine.config();
  const options = optionsOf(request);
  const labels = await labelsFor(config, access, request);
  const lock = await acquireSyncLock(machine, request, call.signal);
  try {
    return await syncLabels(machine, await access.forWriting(), { labels, options, request, call });
  } finally {
    lock.release();
  }
}

/** A sync waits for a search, but two syncs are one too many: the second fails with `busy`. */
async function acquireSyncLock(
  machine: Machine,
  { isForSearch }: SyncRequest,
  signal: AbortSignal,
): Promise<Lock> {
  const options = { directory: projectDirectory(machine), name: "documents", signal } as const;
  if (isForSearch) return acquireLock({ ...options, purpose: SEARCH_PURPOSE, waitMs: SEARCH_WAIT_MS });
  const until = performance.now() + SYNC_WAIT_MS;
  for (let waitMs = 0; ; waitMs = 500) {
    try {
      return await acquireLock({ ...options, purpose: "syncing documents", waitMs });
    } catch (thrown) {
      const isBusy = thrown instanceof DomainError && thrown.code === "busy";
      // Between two searches the lock may have no known holder for a moment.
      const isHeldBySearch = (lockHolder(options)?.purpose ?? SEARCH_PURPOSE) === SEARCH_PURPOSE;
      if (!isBusy || !isHeldBySearch || performance.now() >= until) throw thrown;
    }
  }
}

/**
 * `all` leaves out sources that no question has asked for yet, unless there are no others. If no connector is configured any
 * more, it still removes the stored documents, and a search those of its target.
 */
async function labelsFor(
  config: Config,
  access: DatabaseAccess,
  { target, isForSearch }: SyncRequest,
): Promise<readonly string[]> {
  if (isForSearch) return configuredLabels(config).filter((label) => label === target);
  if (target !== "all") return selectLabels(config, target);
  const database = await access.forReading();
  const stored = database ? storedLabels(database.store) : [];
  const wanted = configuredLabels(config).filter((label) => !isOnDemand(label) || stored.includes(label));
  return wanted.length > 0 || stored.length > 0 ? wanted : selectLabels(config, target);
}

interface SyncWork {
  readonly labels: readonly string[];
  readonly options: SyncOptions;
  readonly request: SyncRequest;
  readonly call: Pick<Call, "signal" | "progress">;
}

async function syncLabels(machine: Machine, database: DocumentDatabase, work: SyncWork): Promise<SyncReport> {
  const { labels, options, request, call } = work;
  const config = await machine.config();
  const { tools, reusing, close } = await openTools(machine, database, work);
  try {
    const sources: SourceReport[] = [];
    for (const label of labels)
      sources.push(await syncLabel(label, machine, options, isShared(label) ? reusing : tools));
    sources.push(...(await removeUnconfigured(config, { ...options, target: request.target }, tools)));
    if (!options.dryRun && request.target === "all") await removeUnusedClones(config, machine);
    if (!options.dryRun) await rechunk(database, tools.writing, call.signal);
    const embedding = await embedIfAsked(database, request, tools);
    return { dry_run: options.dryRun, sources, ...(embedding && { embedding }) };
  } finally {
    await close();
  }
}

/** What all sources are read with, and what those are read with that many projects share. */
async function openTools(machine: Machine, database: DocumentDatabase, { request, call }: SyncWork) {
  const { max_tokens: maxTokens, overlap_tokens: overlapTokens } = (await machine.config()).chunking;
  const { embeddings } = database;
  const extractor = openExtractor();
  const preparer = await openPreparer({ embeddings, home: machine.home });
  const model = (await embeddings.quick())?.identity;
  const chunking = chunkingSettings({ maxTokens, overlapTokens }, model !== undefined);
  const results = new ReusedResults(machine);
  // A thread in the middle of a large file would keep the command waiting.
  const endThreads = () => Promise.all([extractor.close(), preparer.close()]);
  call.signal.addEventListener("abort", endThreads, { once: true });
  const tools: SyncTools = {
    database,
    extractor,
    writing: { chunking, preparer },
    progress: progressFor(request.progress, call.progress),
    signal: call.signal,
    now: () => Math.floor(machine.now().getTime() / 1_000),
  };
  const reusing: SyncTools = {
    ...tools,
    extractor: reusingExtractor(extractor, results),
    writing: { chunking, preparer: reusingPreparer(preparer, results, model) },
  };
  const close = async () => {
    call.signal.removeEventListener("abort", endThreads);
    await Promise.all([endThreads(), results.close()]);
  };
  return { tools, reusing, close };
}

/** The same packages are installed in many projects. */
const isShared = (label: string) => label.startsWith("packages:");

/** A search does not wait for this: the few chunks that it read are embedded by the next sync, or by a server. */
async function embedIfAsked(
  { index, embeddings }: DocumentDatabase,
  { dry_run, isForSearch = false }: SyncRequest,
  { progress, signal }: SyncTools,
): Promise<ChosenEmbedding | undefined> {
  if (dry_run || isForSearch) return undefined;
  return embedByChoice(embeddings, () => index.upgrade({ signal, progress }));
}

/** JSON lines are sent as notes, so that every step is printed. */
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

/** `all` reads no new topics. */
function optionsOf({ target, topics, full, dry_run, since, until, limit }: SyncRequest): SyncOptions {
  return {
    full,
    topics: topics ?? (target === "all" ? [] : undefined),
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
  try {
    return await syncSource(await openConnector(label, await machine.config(), machine), options, tools);
  } catch (thrown) {
    // A wrongly configured source fails alone; the others go on.
    tools.signal.throwIfAborted();
    const problems = [{ kind: "source", source_id: null, reason: failureReason(thrown) } as const];
    return { ...emptyReport(label), status: "failed", problems };
  }
}

/** Removes the documents of connectors that are no longer configured: of all, or of the target. */
async function removeUnconfigured(
  config: Config,
  { dryRun, target }: SyncOptions & Pick<SyncRequest, "target">,
  { database, writing }: SyncTools,
): Promise<SourceReport[]> {
  const { store } = database;
  const configured = new Set(configuredLabels(config));
  const reports: SourceReport[] = [];
  const isGone = (label: string) => !configured.has(label) && (target === "all" || target === label);
  for (const source of storedLabels(store).filter(isGone)) {
    const records = readItemRecords(store, source);
    const removed = [...records.values()].filter(hasDocument).length;
    reports.push({ ...emptyReport(source), removed, complete: !dryRun });
    if (dryRun) continue;
    const writer = new SourceWriter(database, source, writing);
    for (const sourceId of records.keys()) writer.remove(sourceId);
    await writer.commit();
    store.prepare("DELETE FROM sources WHERE source = ?").run(source);
  }
  return reports;
}

/** Removes clones of repositories whose address was changed or removed. */
async function removeUnusedClones({ connectors }: Config, machine: Machine): Promise<void> {
  const clones = clonesDirectory(machine);
  const wikis = Object.values(connectors.github).filter(({ include }) => include.includes("wiki"));
  const used = new Set([
    ...Object.values(connectors.git).map(cloneName),
    ...wikis.map(({ repository, url }) => cloneName(wikiOf({ repository, url }).clone)),
  ]);
  const found = await readdir(clones).catch((thrown: unknown) => {
    if (errnoOf(thrown) === "ENOENT") return [];
    throw thrown;
  });
  for (const name of found.filter((each) => !used.has(each))) {
    await rm(join(clones, name), { recursive: true, force: true });
  }
}
