import { z } from "zod";
import type { Store } from "../../../core/store/store.ts";
import type { ChunkSize } from "../chunking/chunk-text.ts";
import type { DocumentDatabase } from "../database.ts";
import { DocumentRow } from "../tables.ts";
import { writeChunks } from "./document-rows.ts";
import { aboutOf, MOST_SEARCHED_CHARACTERS, type SearchableDraft } from "./prepare/prepare-drafts.ts";
import type { Preparer } from "./prepare/preparer.ts";

/** How documents are chunked and indexed. */
export interface ChunkingSettings {
  readonly size: ChunkSize;
  /** Changes if the same text would be indexed differently; then stored documents are indexed again. */
  readonly stamp: string;
}

export const chunkingSettings = (size: ChunkSize, hasVectors: boolean): ChunkingSettings => ({
  size,
  stamp: `2:${size.maxTokens}:${size.overlapTokens}:${hasVectors ? "vectors" : "words"}`,
});

/** Chunks and indexes documents again that were stored with other settings, without fetching them. Returns their number. */
export async function rechunk(
  { store, index }: DocumentDatabase,
  {
    chunking: { size, stamp },
    preparer,
  }: { readonly chunking: ChunkingSettings; readonly preparer: Preparer },
  signal: AbortSignal,
): Promise<number> {
  let done = 0;
  for (;;) {
    signal.throwIfAborted();
    const rows = nextRows(store, stamp);
    if (rows.length === 0) return done;
    const prepared = await preparer.prepare(rows.map(draftOf), size);
    // What cannot be prepared keeps its old chunks. It was prepared once, so this means too little time or memory now.
    if ("lost" in prepared) return done;
    store.transaction(() => {
      for (const [place, { id }] of rows.entries()) {
        writeChunks(store, id, prepared.chunks[place] ?? []);
        store.prepare("UPDATE documents SET chunking = ? WHERE id = ?").run(stamp, id);
      }
      index.putPrepared(prepared.batch);
    });
    done += rows.length;
  }
}

/** Some documents with other settings: few enough for one batch. Two range queries use the index; `<>` would read all. */
function nextRows(store: Store, stamp: string): DocumentRow[] {
  const rows: DocumentRow[] = [];
  let characters = 0;
  for (const than of ["<", ">"]) {
    const others = store.prepare(`SELECT * FROM documents WHERE chunking ${than} ? LIMIT 200`);
    for (const row of others.iterate(stamp)) {
      const document = DocumentRow.parse(row);
      rows.push(document);
      characters += document.body.length;
      if (characters >= MOST_SEARCHED_CHARACTERS) return rows;
    }
  }
  return rows;
}

const Metadata = z.record(z.string(), z.unknown());
/** Our tags are a list of texts; anything else comes from the file itself and is ignored. */
const Tags = z.array(z.string()).catch([]);

function draftOf(row: DocumentRow): SearchableDraft {
  const metadata = Metadata.parse(JSON.parse(row.metadata));
  const tags = Tags.parse(metadata["tags"]);
  const { id, source, source_id: sourceId, title, updated_at: updatedAt, body } = row;
  return { id, source, sourceId, title, updatedAt, body, tags, about: aboutOf(metadata) };
}
