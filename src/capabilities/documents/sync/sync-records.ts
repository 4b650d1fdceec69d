import { z } from "zod";
import type { Store } from "../../../core/store/store.ts";
import { SourceRow } from "../tables.ts";

const Label = z.object({ source: z.string() });

/** What is recorded about one item of a source. */
export interface ItemRecord {
  readonly stamp: string;
  /** The hash of its document; `null` if it has none. */
  readonly hash: string | null;
  readonly skipped: string | null;
}

export const hasDocument = (entry: ItemRecord | undefined): boolean => entry?.skipped === null;

/** The records of a source, by source id. Checked by hand: with a schema, most of a sync would be parsing. */
export function readItemRecords(store: Store, source: string): Map<string, ItemRecord> {
  const entries = new Map<string, ItemRecord>();
  const rows = store
    .prepare("SELECT source_id, stamp, hash, skipped FROM items WHERE source = ?")
    .all(source);
  for (const row of rows) {
    if (typeof row !== "object" || row === null || !("source_id" in row) || !("stamp" in row)) continue;
    if (typeof row.source_id !== "string" || typeof row.stamp !== "string") continue;
    const hash = "hash" in row && typeof row.hash === "string" ? row.hash : null;
    const skipped = "skipped" in row && typeof row.skipped === "string" ? row.skipped : null;
    entries.set(row.source_id, { stamp: row.stamp, hash, skipped });
  }
  return entries;
}

export function writeItemRecord(store: Store, source: string, sourceId: string, entry: ItemRecord): void {
  store
    .prepare("INSERT OR REPLACE INTO items (source, source_id, stamp, hash, skipped) VALUES (?, ?, ?, ?, ?)")
    .run(source, sourceId, entry.stamp, entry.hash, entry.skipped);
}

export function deleteItemRecord(store: Store, source: string, sourceId: string): void {
  store.prepare("DELETE FROM items WHERE source = ? AND source_id = ?").run(source, sourceId);
}

export function readSources(store: Store): SourceRow[] {
  const rows = store
    .prepare("SELECT source, last_sync, last_complete, last_error FROM sources ORDER BY source")
    .all();
  return rows.map((row) => SourceRow.parse(row));
}

/** All sources with stored data, also from unfinished runs. */
export function storedLabels(store: Store): string[] {
  const rows = store
    .prepare("SELECT source FROM sources UNION SELECT source FROM items ORDER BY source")
    .all();
  return rows.map((row) => Label.parse(row).source);
}

/** `last_sync` moves if the source was reached; the checkpoint moves only if the run was complete. */
export function recordRun(
  store: Store,
  {
    source,
    reachedAt,
    completeAt,
    error,
  }: { source: string; reachedAt: number | null; completeAt: number | null; error: string | null },
): void {
  store
    .prepare(
      `INSERT INTO sources (source, last_sync, last_complete, last_error) VALUES (?, ?, ?, ?)
       ON CONFLICT (source) DO UPDATE SET last_error = excluded.last_error,
         last_sync = coalesce(excluded.last_sync, last_sync),
         last_complete = coalesce(excluded.last_complete, last_complete)`,
    )
    .run(source, reachedAt, completeAt, error);
}
