import { z } from "zod";
import { prepareDocuments } from "../../../core/search/index.ts";
import { type ChunkSize, chunkText } from "../chunking/chunk-text.ts";
import type { DocumentDatabase } from "../database.ts";
import { DocumentRow } from "../tables.ts";
import type { DocumentDraft } from "./compose.ts";
import { indexedDocument, writeChunks } from "./document-rows.ts";

/** How documents are chunked and indexed. */
export interface ChunkingSettings {
  readonly size: ChunkSize;
  /** Changes if the same text would be indexed differently; then stored documents are indexed again. */
  readonly stamp: string;
}

export const chunkingSettings = (size: ChunkSize, hasVectors: boolean): ChunkingSettings => ({
  size,
  stamp: `1:${size.maxTokens}:${size.overlapTokens}:${hasVectors ? "vectors" : "words"}`,
});

/** Chunks and indexes documents again that were stored with other settings, without fetching them. Returns their number. */
export async function rechunk(
  database: DocumentDatabase,
  { size, stamp }: ChunkingSettings,
  signal: AbortSignal,
): Promise<number> {
  const { store, index, embeddings } = database;
  // Two range queries use the index; `<>` would read every document.
  const others = (than: "<" | ">") =>
    store.prepare(`SELECT * FROM documents WHERE chunking ${than} ? LIMIT 200`);
  let done = 0;
  for (;;) {
    signal.throwIfAborted();
    const rows = [...others("<").all(stamp), ...others(">").all(stamp)];
    if (rows.length === 0) return done;
    const cut = rows.map((row) => {
      const document = DocumentRow.parse(row);
      return { document, chunks: chunkText(document.body, size) };
    });
    const indexed = cut.map(({ document, chunks }) => indexedDocument(draftOf(document), chunks));
    const batch = prepareDocuments(indexed, await embeddings.quick());
    store.transaction(() => {
      for (const { document, chunks } of cut) {
        writeChunks(store, document.id, chunks);
        store.prepare("UPDATE documents SET chunking = ? WHERE id = ?").run(stamp, document.id);
      }
      index.putPrepared(batch);
    });
    done += rows.length;
  }
}

/** Our tags are a list of texts; anything else comes from the file itself and is ignored. */
const Metadata = z.looseObject({ tags: z.array(z.string()).default([]).catch([]) });

function draftOf(row: DocumentRow): Omit<DocumentDraft, "hash"> {
  const metadata = Metadata.parse(JSON.parse(row.metadata));
  return {
    id: row.id,
    source: row.source,
    sourceId: row.source_id,
    sourceUrl: row.source_url,
    title: row.title,
    author: row.author,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    contentType: row.content_type,
    body: row.body,
    metadata,
    tags: metadata.tags,
  };
}
