import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import type { Store } from "../../../core/store/store.ts";
import type { DocumentDatabase } from "../database.ts";
import type { Stats, StoredDocument } from "../schemas.ts";
import { readSources } from "../sync/sync-records.ts";
import { DocumentRow } from "../tables.ts";
import { isoOf } from "../timestamps.ts";

const Metadata = z.record(z.string(), z.unknown());
const ChunkRow = z.object({ document_id: z.string(), position: z.number(), text: z.string() });

/** A whole document with its chunks. */
export function getDocument(database: DocumentDatabase | undefined, id: string): StoredDocument {
  const found = database?.store.snapshot(() => {
    const row = database.store.prepare("SELECT * FROM documents WHERE id = ?").get(id);
    return row ? { row: DocumentRow.parse(row), chunks: readChunks(database.store, id) } : undefined;
  });
  if (found === undefined) {
    throw new DomainError("not_found", `document not found: ${id.slice(0, 100)}.`, {
      next: { tool: "context.search" },
    });
  }
  const { chunking: _, ...row } = found.row;
  return {
    ...row,
    created_at: isoOf(row.created_at),
    updated_at: isoOf(row.updated_at),
    metadata: Metadata.parse(JSON.parse(row.metadata)),
    chunks: found.chunks.map(({ position, text }) => ({ index: position, text })),
  };
}

const readChunks = (store: Store, id: string) =>
  store
    .prepare("SELECT document_id, position, text FROM chunks WHERE document_id = ? ORDER BY position")
    .all(id)
    .map((row) => ChunkRow.parse(row));

/** All documents and chunks, sorted, so that two exports can be compared. */
export function exportAll(database: DocumentDatabase | undefined) {
  if (database === undefined) return { documents: [], chunks: [] };
  const { store } = database;
  return store.snapshot(() => {
    const documents = store
      .prepare("SELECT * FROM documents ORDER BY source_id, source")
      .all()
      .map((row) => {
        const { id, source, source_id, source_url, title, updated_at, body } = DocumentRow.parse(row);
        return { id, source, source_id, source_url, title, updated_at, body };
      });
    const chunks = documents
      .flatMap(({ id }) => readChunks(store, id))
      .map(({ document_id, position, text }) => ({
        id: `${document_id}#${position}`,
        document_id,
        chunk_index: position,
        text,
      }));
    return { documents, chunks };
  });
}

const Pages = z.object({ size: z.number() });
const Count = z.object({ source: z.string(), documents: z.number(), chunks: z.number() });

/** Totals, and for each source its counts and last sync. */
export async function stats(database: DocumentDatabase | undefined): Promise<Stats> {
  if (database === undefined) {
    return { documents: 0, chunks: 0, embedded: 0, size_bytes: 0, sources: [], problems: [] };
  }
  const { store, index } = database;
  const counts = store
    .prepare(
      `SELECT source, count(*) AS documents,
         (SELECT count(*) FROM chunks JOIN documents AS own ON own.id = chunks.document_id
          WHERE own.source = documents.source) AS chunks
       FROM documents GROUP BY source ORDER BY source`,
    )
    .all()
    .map((row) => Count.parse(row));
  const runs = new Map(readSources(store).map((row) => [row.source, row]));
  const status = await index.status();
  const sum = (pick: (count: z.output<typeof Count>) => number) =>
    counts.reduce((all, count) => all + pick(count), 0);
  const pages = store
    .prepare("SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size")
    .get();
  return {
    documents: sum(({ documents }) => documents),
    chunks: sum(({ chunks }) => chunks),
    embedded: Math.max(0, ...status.counts.models.map(({ vectors }) => vectors)),
    size_bytes: Pages.parse(pages).size,
    sources: counts.map(({ source, documents, chunks }) => ({
      source,
      documents,
      chunks,
      last_sync: isoOrNull(runs.get(source)?.last_sync),
      last_complete: isoOrNull(runs.get(source)?.last_complete),
    })),
    problems: [...status.problems],
  };
}

const isoOrNull = (seconds: number | null | undefined) => (seconds == null ? null : isoOf(seconds));
