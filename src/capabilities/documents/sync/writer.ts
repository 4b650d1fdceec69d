import type { PreparedBatch } from "../../../core/search/index.ts";
import type { TextChunk } from "../chunking/chunk-text.ts";
import type { DocumentDatabase } from "../database.ts";
import { type DocumentDraft, documentId } from "./compose.ts";
import { deleteRows, writeRows } from "./document-rows.ts";
import { MOST_SEARCHED_CHARACTERS } from "./prepare/prepare-drafts.ts";
import { type Preparer, SMALL_BATCH_CHARACTERS } from "./prepare/preparer.ts";
import type { ChunkingSettings } from "./rechunk.ts";
import { deleteItemRecord, type ItemRecord, writeItemRecord } from "./sync-records.ts";

/** How drafts become chunks. */
export interface WriterOptions {
  readonly chunking: ChunkingSettings;
  readonly preparer: Preparer;
}
/** A draft that could not be prepared. It is not stored, and the next run reads it again. */
interface LostDraft {
  readonly sourceId: string;
  readonly reason: string;
}
interface ReadyDrafts {
  readonly documents: { readonly draft: DocumentDraft; readonly chunks: readonly TextChunk[] }[];
  readonly batches: PreparedBatch[];
  /** How many of the documents were prepared before. */
  readonly reused: number;
  readonly lost: LostDraft[];
}

/** Collects changes of one source and commits rows, chunks, index and item records in one transaction. */
export class SourceWriter {
  readonly #database: DocumentDatabase;
  readonly #source: string;
  readonly #options: WriterOptions;
  #drafts: DocumentDraft[] = [];
  #records: { sourceId: string; record: ItemRecord }[] = [];
  #removed: string[] = [];
  #characters = 0;
  chunksWritten = 0;
  /** Documents that were prepared before, here or for another project. */
  reused = 0;

  constructor(database: DocumentDatabase, source: string, options: WriterOptions) {
    this.#database = database;
    this.#source = source;
    this.#options = options;
  }

  put(draft: DocumentDraft, record: ItemRecord): void {
    this.#drafts.push(draft);
    this.#records.push({ sourceId: draft.sourceId, record });
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

  /** A batch becomes one index segment: large enough for few segments, small enough for memory and to lose little in a crash. */
  get isFull(): boolean {
    return (
      this.#characters >= MOST_SEARCHED_CHARACTERS || this.#records.length + this.#removed.length >= 10_000
    );
  }

  /** Small enough to be stored at once. */
  get isSmall(): boolean {
    return this.#characters <= SMALL_BATCH_CHARACTERS;
  }

  /** Everything passed in is stored when this returns, except what is returned. */
  async commit(): Promise<LostDraft[]> {
    const drafts = this.#drafts;
    const records = this.#records;
    const removed = this.#removed;
    if (drafts.length + records.length + removed.length === 0) return [];
    this.#drafts = [];
    this.#records = [];
    this.#removed = [];
    this.#characters = 0;
    const { store, index } = this.#database;
    const { documents, batches, reused, lost } = await this.#prepare(drafts);
    this.reused += reused;
    const isLost = new Set(lost.map(({ sourceId }) => sourceId));
    store.transaction(() => {
      const ids = removed.map((sourceId) => documentId(this.#source, sourceId));
      if (ids.length > 0) index.delete(ids);
      for (const id of ids) deleteRows(store, id);
      for (const sourceId of removed) deleteItemRecord(store, this.#source, sourceId);
      for (const { draft, chunks } of documents) {
        writeRows(store, draft, chunks, this.#options.chunking.stamp);
        this.chunksWritten += chunks.length;
      }
      for (const { sourceId, record } of records) {
        if (!isLost.has(sourceId)) writeItemRecord(store, this.#source, sourceId, record);
      }
      for (const batch of batches) index.putPrepared(batch);
    });
    return lost;
  }

  /** If a batch is lost, each of its drafts is tried alone, so that one bad document does not take others with it. */
  async #prepare(drafts: readonly DocumentDraft[]): Promise<ReadyDrafts> {
    if (drafts.length === 0) return { documents: [], batches: [], reused: 0, lost: [] };
    const { preparer, chunking } = this.#options;
    const prepared = await preparer.prepare(drafts, chunking.size);
    if (!("lost" in prepared)) {
      const documents = drafts.map((draft, place) => ({ draft, chunks: prepared.chunks[place] ?? [] }));
      const reused = prepared.isReused ? drafts.length : 0;
      return { documents, batches: [prepared.batch], reused, lost: [] };
    }
    const [only, ...others] = drafts;
    if (only && others.length === 0) {
      const lost = [{ sourceId: only.sourceId, reason: prepared.lost }];
      return { documents: [], batches: [], reused: 0, lost };
    }
    const parts: ReadyDrafts[] = [];
    for (const draft of drafts) parts.push(await this.#prepare([draft]));
    return {
      documents: parts.flatMap((part) => part.documents),
      batches: parts.flatMap((part) => part.batches),
      reused: parts.reduce((sum, part) => sum + part.reused, 0),
      lost: parts.flatMap((part) => part.lost),
    };
  }
}
