import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import type { Store } from "../../../core/store/store.ts";
import type { Library } from "../library.ts";
import { readSources } from "../sync/ledger.ts";
import { DocumentRow } from "../tables.ts";
import { isoOf } from "../timestamps.ts";

const Metadata = z.record(z.string(), z.unknown());
const ChunkRow = z.object({ document_id: z.string(), position: z.number(), text: z.string() });

/** A whole document with its chunks. */
export function getDocument(library: Library | undefined, id: string) {
  return (
    library?.store.snapshot(() => {
      const row = library.store.prepare("SELECT * FROM documents WHERE id = ?").get(id);
      if (row === undefined || row === null) throw notFound(id);
      const document = DocumentRow.parse(row);
      return {
        id: document.id,
        source: document.source,
        source_id: document.source_id,
        source_url: document.source_url,
        title: document.title,
        author: document.author,
        created_at: isoOf(document.created_at),
        updated_at: isoOf(document.updated_at),
        content_type: document.content_type,
        body: document.body,
        metadata: Metadata.parse(JSON.parse(document.metadata)),
        chunks: readChunks(library.store, id).map(({ position, text }) => ({ index: position, text })),
      };
    }) ?? refuse(notFound(id))
  );
}

const notFound = (id: string) =>
  new DomainError("not_found", `document not found: ${id.slice(0, 100)}. Use an id from context.search.`);
const refuse = (error: DomainError): never => {
  throw error;
};

const readChunks = (store: Store, id: string) =>
  store
    .prepare("SELECT document_id, position, text FROM chunks WHERE document_id = ? ORDER BY position")
    .all(id)
    .map((row) => ChunkRow.parse(row));

/** All documents and chunks, for use elsewhere; sorted, so that two exports can be compared. */
export function exportAll(library: Library | undefined) {
  if (library === undefined) return { documents: [], chunks: [] };
  const { store } = library;
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

const Count = z.object({ source: z.string(), documents: z.number(), chunks: z.number() });

/** Totals and, for each source, how much there is and when it was last brought up to date. */
export async function stats(library: Library | undefined) {
  if (library === undefined) {
    return { documents: 0, chunks: 0, embedded: 0, size_bytes: 0, sources: [], problems: [] };
  }
  const { store, index } = library;
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
  const Pages = z.object({ size: z.number() });
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
