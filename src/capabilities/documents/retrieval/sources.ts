import { deadline } from "../../../core/deadline.ts";
import type { Machine } from "../../../core/machine.ts";
import type { Health } from "../connectors/connector.ts";
import { configuredLabels, openConnector } from "../connectors/open-connectors.ts";
import type { DocumentDatabase } from "../database.ts";
import type { SourceState } from "../schemas.ts";
import { readSources } from "../sync/sync-records.ts";
import type { SourceRow } from "../tables.ts";
import { isoOf } from "../timestamps.ts";
import { isOnDemand } from "../topics.ts";

/** Long enough for a slow host, short enough for a waiting model. */
const CHECK_DEADLINE_MS = 10_000;

/** Every configured source with its health now, and stored sources that are no longer configured. */
export async function sources(
  machine: Machine,
  database: DocumentDatabase | undefined,
  signal: AbortSignal,
): Promise<SourceState[]> {
  const labels = configuredLabels(await machine.config());
  const runs = database ? readSources(database.store) : [];
  const checked = await Promise.all(
    labels.map(async (name): Promise<SourceState> => {
      const { healthy, notes } = await check(name, machine, signal);
      const run = runs.find(({ source }) => source === name);
      return { name, configured: true, healthy, notes: healthy ? `${notes}; ${history(name, run)}` : notes };
    }),
  );
  const unconfigured = runs
    .filter(({ source }) => !labels.includes(source))
    .map(({ source }) => ({
      name: source,
      configured: false,
      healthy: false,
      notes: "not configured any more; the next `documents sync all` removes its documents",
    }));
  return [...checked, ...unconfigured];
}

async function check(label: string, machine: Machine, signal: AbortSignal): Promise<Health> {
  using limit = deadline(CHECK_DEADLINE_MS, signal);
  try {
    const connector = await openConnector(label, await machine.config(), machine);
    return await connector.check(limit.signal);
  } catch (thrown) {
    signal.throwIfAborted();
    return { healthy: false, notes: thrown instanceof Error ? thrown.message : "cannot be checked" };
  }
}

function history(label: string, run: SourceRow | undefined): string {
  if (run?.last_sync == null && isOnDemand(label)) return "read when a question asks for it";
  const last = run?.last_sync == null ? "never synced" : `last sync ${isoOf(run.last_sync)}`;
  return run?.last_error == null ? last : `${last}; last error: ${run.last_error}`;
}
