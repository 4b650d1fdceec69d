import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../../core/config/config.ts";
import { errnoOf } from "../../../core/errors.ts";
import type { Machine } from "../../../core/machine.ts";
import { cloneName } from "../connectors/git/git-clone-name.ts";
import { configuredLabels } from "../connectors/open-connectors.ts";
import { clonesDirectory } from "../places.ts";
import { emptyReport, type SourceReport } from "./report.ts";
import { hasDocument, readItemRecords, storedLabels } from "./sync-records.ts";
import type { SyncOptions, SyncTools } from "./sync-source.ts";
import { SourceWriter } from "./writer.ts";

/** A connector taken out of the configuration takes its documents along. */
export async function removeUnconfigured(
  config: Config,
  { dryRun }: SyncOptions,
  { database, chunking }: SyncTools,
): Promise<SourceReport[]> {
  const { store } = database;
  const configured = new Set(configuredLabels(config));
  const reports: SourceReport[] = [];
  for (const source of storedLabels(store).filter((label) => !configured.has(label))) {
    const entries = readItemRecords(store, source);
    const removed = [...entries.values()].filter(hasDocument).length;
    reports.push({ ...emptyReport(source), removed, complete: !dryRun });
    if (dryRun) continue;
    const writer = new SourceWriter(database, source, chunking);
    for (const sourceId of entries.keys()) writer.remove(sourceId);
    await writer.commit();
    store.prepare("DELETE FROM sources WHERE source = ?").run(source);
  }
  return reports;
}

/** So does the clone of a repository whose address was changed or taken out. */
export async function removeStrayClones({ connectors }: Config, machine: Machine): Promise<void> {
  const clones = clonesDirectory(machine);
  const used = new Set(Object.values(connectors.git).map(cloneName));
  const found = await readdir(clones).catch((thrown: unknown) => {
    if (errnoOf(thrown) === "ENOENT") return [];
    throw thrown;
  });
  for (const name of found.filter((each) => !used.has(each))) {
    await rm(join(clones, name), { recursive: true, force: true });
  }
}
