import { setTimeout as pause } from "node:timers/promises";
import { DomainError } from "../../core/errors.ts";
import { acquireLock } from "../../core/lock/lock.ts";
import type { Machine } from "../../core/machine.ts";
import { silentProgress } from "../../core/progress.ts";
import { configuredLabels } from "./connectors/open-connectors.ts";
import type { DocumentDatabase } from "./database.ts";
import { DEFAULT_SOURCE, hasConnectors } from "./default-source.ts";
import type { Documents } from "./documents.ts";
import { projectDirectory } from "./places.ts";
import type { Problem } from "./sync/report.ts";

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;
/** The longest time setTimeout takes. */
const LONGEST_MS = 2 ** 31 - 1;
/** The first calls of a session must not wait for a model to load, or for files to be read. */
const FIRST_AFTER_MS = 3_000;
const EMBED_LOOK_EVERY_MS = 10_000;
/** How long embedding waits for a running sync. */
const LOCK_WAIT_MS = 60_000;

/** `15m` in milliseconds. */
function durationMs(text: string): number {
  const match = /^(\d+)(s|m|h)$/.exec(text);
  const unit = Object.entries(UNIT_MS).find(([name]) => name === match?.[2])?.[1] ?? 0;
  return Math.min(Number(match?.[1] ?? 0) * unit, LONGEST_MS);
}

/** Nobody has configured the default source, so nobody would know to sync it. A configured one is synced as its user says. */
export async function syncDefaultSource(
  machine: Machine,
  documents: Documents,
  signal: AbortSignal,
): Promise<void> {
  const labels = configuredLabels(await machine.config());
  if (!labels.includes(DEFAULT_SOURCE) || !(await passes(FIRST_AFTER_MS, signal))) return;
  await syncOnce(machine, documents, { target: DEFAULT_SOURCE, signal });
}

/** `[server] sync_every`: a server syncs on a schedule. A failure is logged, and the next round tries again. */
export async function syncOnSchedule(
  machine: Machine,
  documents: Documents,
  signal: AbortSignal,
): Promise<void> {
  const config = await machine.config();
  const { server } = config;
  if (server.sync_every === undefined || !hasConnectors(config)) return;
  const everyMs = durationMs(server.sync_every);
  do {
    await syncOnce(machine, documents, { target: "all", signal });
  } while (await passes(everyMs, signal));
}

async function syncOnce(
  machine: Machine,
  documents: Documents,
  { target, signal }: { readonly target: string; readonly signal: AbortSignal },
): Promise<void> {
  try {
    const request = { target, full: false, dry_run: false };
    const { sources } = await documents.sync(request, { signal, progress: silentProgress });
    for (const { source, status, problems } of sources) {
      if (status !== "ok") machine.logger.warn(`the scheduled sync of ${source}: ${firstReason(problems)}`);
    }
  } catch (thrown) {
    if (signal.aborted) return;
    // Another process is syncing the same project; that is enough.
    const isBusy = thrown instanceof DomainError && thrown.code === "busy";
    if (!isBusy) machine.logger.error("the scheduled sync of documents failed:", thrown);
  }
}

function firstReason(problems: readonly Problem[]): string {
  const [first, ...others] = problems.filter(({ kind }) => kind === "source" || kind === "failed");
  const item = first?.source_id == null ? "" : `${first.source_id}: `;
  return `${item}${first?.reason ?? "failed"}${others.length > 0 ? `, and ${others.length} more` : ""}`;
}

/** Embeds what the models have not embedded of the stored documents, again after every change, until the signal aborts. */
export async function embedInBackground(
  machine: Machine,
  reading: () => Promise<DocumentDatabase | undefined>,
  signal: AbortSignal,
): Promise<void> {
  let seen = -1;
  let wait = FIRST_AFTER_MS;
  while (await passes(wait, signal)) {
    wait = EMBED_LOOK_EVERY_MS;
    const database = await reading();
    if (database === undefined) continue;
    const generation = database.index.generation();
    if (generation === seen) continue;
    seen = generation;
    try {
      await database.index.upgrade({
        signal,
        progress: silentProgress,
        write: (run) => locked(machine, run),
      });
      seen = database.index.generation();
    } catch (thrown) {
      if (signal.aborted) return;
      machine.logger.error("embedding documents in the background stopped:", thrown);
    }
  }
}

async function locked(machine: Machine, run: () => void): Promise<void> {
  const lock = await acquireLock({
    directory: projectDirectory(machine),
    name: "documents",
    purpose: "embedding documents",
    waitMs: LOCK_WAIT_MS,
  });
  try {
    run();
  } finally {
    lock.release();
  }
}

async function passes(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  await pause(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
  return !signal.aborted;
}
