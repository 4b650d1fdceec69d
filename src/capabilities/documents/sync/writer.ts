import { prepareDocuments } from "../../../core/search/index.ts";
import { chunkText, type TextChunk } from "../chunking/chunk-text.ts";
import type { DocumentDatabase } from "../database.ts";
import { type DocumentDraft, documentId } from "./compose.ts";
import { deleteRows, indexedDocument, writeRows } from "./document-rows.ts";
import type { ChunkingSettings } from "./rechunk.ts";
import { deleteItemRecord, type ItemRecord, writeItemRecord } from "./sync-records.ts";

/** A batch becomes one index segment: large enough for few segments, small enough to lose little in a crash. */
const MOST_CHUNKS = 2_000;
const MOST_CHARACTERS = 8_000_000;

/** Collects changes of one source and commits rows, chunks, index and item records in one transaction. */
export class SourceWriter {
  readonly #database: DocumentDatabase;
  readonly #source: string;
  readonly #chunking: ChunkingSettings;
  #documents: { draft: DocumentDraft; chunks: readonly TextChunk[] }[] = [];
  #records: { sourceId: string; record: ItemRecord }[] = [];
  #removed: string[] = [];
  #chunks = 0;
  #characters = 0;
  chunksWritten = 0;

  constructor(database: DocumentDatabase, source: string, chunking: ChunkingSettings) {
    this.#database = database;
    this.#source = source;
    this.#chunking = chunking;
  }

  put(draft: DocumentDraft, record: ItemRecord): void {
    const chunks = chunkText(draft.body, this.#chunking.size);
    this.#documents.push({ draft, chunks });
    this.#records.push({ sourceId: draft.sourceId, record });
    this.#chunks += chunks.length;
    this.#characters += draft.body.length;
  }

  /** The content is unchanged; only the item record is updated. */
  updateRecord(sourceId: string, record: ItemRecord): void {
    this.#records.push({ sourceId, record });
  }

  /** Removes the document; a record keeps the reason why there is none. */
  remove(sourceId: string, record?: ItemRecord): void {
    this.#removed.push(sourceId);
    if (record) this.#records.push({ sourceId, record });
  }

  get isFull(): boolean {
    return (
      this.#chunks >= MOST_CHUNKS ||
      this.#characters >= MOST_CHARACTERS ||
      this.#records.length + this.#removed.length >= 10_000
    );
  }

  /** Everything passed in is stored when this returns. */
  async commit(): Promise<void> {
    const documents = this.#documents;
    const records = this.#records;
    const removed = this.#removed;
    if (documents.length + records.length + removed.length === 0) return;
    this.#documents = [];
    this.#records = [];
    this.#removed = [];
    this.#chunks = 0;
    this.#characters = 0;
    const { store, index, embeddings } = this.#database;
    const indexed = documents.map(({ draft, chunks }) => indexedDocument(draft, chunks));
    const batch = indexed.length > 0 ? prepareDocuments(indexed, await embeddings.quick()) : undefined;
    store.transaction(() => {
      const ids = removed.map((sourceId) => documentId(this.#source, sourceId));
      if (ids.length > 0) index.delete(ids);
      for (const id of ids) deleteRows(store, id);
      for (const sourceId of removed) deleteItemRecord(store, this.#source, sourceId);
      for (const { draft, chunks } of documents) {
        writeRows(store, draft, chunks, this.#chunking.stamp);
        this.chunksWritten += chunks.length;
      }
      for (const { sourceId, record } of records) writeItemRecord(store, this.#source, sourceId, record);
      if (batch) index.putPrepared(batch);
    });
  }
}
