import { prepareDocuments } from "../../../core/search/index.ts";
import { chunkText, type TextChunk } from "../chunking/chunk-text.ts";
import type { DocumentDatabase } from "../database.ts";
import { type DocumentDraft, documentId } from "./compose.ts";
import { deleteRows, indexedDocument, writeRows } from "./document-rows.ts";
import type { ChunkingSettings } from "./rechunk.ts";
import { deleteItemRecord, type ItemRecord, writeItemRecord } from "./sync-records.ts";

/** A batch becomes one segment of the index: large enough for few segments, small enough that little is lost by a crash. */
const MOST_CHUNKS = 2_000;
const MOST_CHARACTERS = 8_000_000;

/** Collects changes of one source and commits them together: rows, chunks, index and book in one transaction. */
export class SourceWriter {
  readonly #database: DocumentDatabase;
  readonly #source: string;
  readonly #chunking: ChunkingSettings;
  #documents: { draft: DocumentDraft; chunks: readonly TextChunk[] }[] = [];
  #entries: { sourceId: string; entry: ItemRecord }[] = [];
  #gone: string[] = [];
  #chunks = 0;
  #characters = 0;
  chunksWritten = 0;

  constructor(database: DocumentDatabase, source: string, chunking: ChunkingSettings) {
    this.#database = database;
    this.#source = source;
    this.#chunking = chunking;
  }

  put(draft: DocumentDraft, entry: ItemRecord): void {
    const chunks = chunkText(draft.body, this.#chunking.size);
    this.#documents.push({ draft, chunks });
    this.#entries.push({ sourceId: draft.sourceId, entry });
    this.#chunks += chunks.length;
    this.#characters += draft.body.length;
  }

  /** Only the book changes: the content proved to be the same. */
  note(sourceId: string, entry: ItemRecord): void {
    this.#entries.push({ sourceId, entry });
  }

  /** The document goes; with an entry, the book remembers why there is none. */
  remove(sourceId: string, entry?: ItemRecord): void {
    this.#gone.push(sourceId);
    if (entry) this.#entries.push({ sourceId, entry });
  }

  get isFull(): boolean {
    return (
      this.#chunks >= MOST_CHUNKS ||
      this.#characters >= MOST_CHARACTERS ||
      this.#entries.length + this.#gone.length >= 10_000
    );
  }

  /** What was put is safe when this returns. */
  async commit(): Promise<void> {
    const documents = this.#documents;
    const entries = this.#entries;
    const gone = this.#gone;
    if (documents.length + entries.length + gone.length === 0) return;
    this.#documents = [];
    this.#entries = [];
    this.#gone = [];
    this.#chunks = 0;
    this.#characters = 0;
    const { store, index, embeddings } = this.#database;
    const indexed = documents.map(({ draft, chunks }) => indexedDocument(draft, chunks));
    const batch = indexed.length > 0 ? prepareDocuments(indexed, await embeddings.quick()) : undefined;
    store.transaction(() => {
      const ids = gone.map((sourceId) => documentId(this.#source, sourceId));
      if (ids.length > 0) index.delete(ids);
      for (const id of ids) deleteRows(store, id);
      for (const sourceId of gone) deleteItemRecord(store, this.#source, sourceId);
      for (const { draft, chunks } of documents) {
        writeRows(store, draft, chunks, this.#chunking.stamp);
        this.chunksWritten += chunks.length;
      }
      for (const { sourceId, entry } of entries) writeItemRecord(store, this.#source, sourceId, entry);
      if (batch) index.putPrepared(batch);
    });
  }
}
