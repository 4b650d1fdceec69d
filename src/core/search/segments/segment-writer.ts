import type { Store } from "../../store/store.ts";
import { asBytes, asUint32 } from "../postings/bytes.ts";
import type { ModelIdentity, PackedVectors, PreparedBatch } from "../search-index.ts";
import { blobIn, numberIn } from "./rows.ts";
import { bucketRow, type Tables } from "./tables.ts";

/** A segment to be written, with vectors of any number of models. */
export interface NewSegment extends Omit<PreparedBatch, "vectors"> {
  readonly vectors: readonly PackedVectors[];
}

/** Writes segments and marks chunks as dead. Every change raises the generation in the same transaction. */
export class SegmentWriter {
  readonly #store: Store;
  readonly #tables: Tables;

  constructor(store: Store, tables: Tables) {
    this.#store = store;
    this.#tables = tables;
  }

  add(segment: NewSegment): number {
    return this.#store.transaction(() => {
      this.remove(segment.documentIds);
      const number = this.#count("segment");
      const { segments, documents, parts } = this.#tables;
      this.#run(
        `INSERT INTO ${segments} (segment, chunks, live, documents, buckets) VALUES (?, ?, ?, ?, ?)`,
        number,
        segment.chunkCount,
        segment.chunkCount,
        segment.documentIds.length,
        segment.bucketEnds.length,
      );
      const insertDocument = this.#store.prepare(
        `INSERT INTO ${documents} (id, segment, ordinal) VALUES (?, ?, ?)`,
      );
      for (const [ordinal, id] of segment.documentIds.entries()) insertDocument.run(id, number, ordinal);
      const insertPart = this.#store.prepare(
        `INSERT INTO ${parts} (segment, name, content) VALUES (?, ?, ?)`,
      );
      for (const [name, content] of Object.entries(segment.parts)) insertPart.run(number, name, content);
      this.#addBuckets(number, segment);
      for (const vectors of segment.vectors) this.putVectors(number, vectors);
      this.#count("generation");
      return number;
    });
  }

  /** Marks the chunks of these documents as dead; gives how many documents there were. */
  remove(documentIds: readonly string[]): number {
    return this.#store.transaction(() => {
      const find = this.#store.prepare(`SELECT segment, ordinal FROM ${this.#tables.documents} WHERE id = ?`);
      const forget = this.#store.prepare(`DELETE FROM ${this.#tables.documents} WHERE id = ?`);
      const ordinals = new Map<number, number[]>();
      let found = 0;
      for (const id of documentIds) {
        const row = find.get(id);
        if (row === undefined || row === null) continue;
        const segment = numberIn(row, "segment");
        const known = ordinals.get(segment) ?? [];
        known.push(numberIn(row, "ordinal"));
        ordinals.set(segment, known);
        forget.run(id);
        found++;
      }
      for (const [segment, dead] of ordinals) this.#bury(segment, dead);
      if (found > 0) this.#count("generation");
      return found;
    });
  }

  /** Takes whole segments away, rows and all. */
  drop(segments: readonly number[]): void {
    this.#store.transaction(() => {
      for (const segment of segments) {
        this.#run(
          `DELETE FROM ${this.#tables.postings} WHERE bucket >= ? AND bucket < ?`,
          bucketRow(segment, 0),
          bucketRow(segment + 1, 0),
        );
        this.#run(`DELETE FROM ${this.#tables.parts} WHERE segment = ?`, segment);
        this.#run(`DELETE FROM ${this.#tables.vectors} WHERE segment = ?`, segment);
        this.#run(`DELETE FROM ${this.#tables.segments} WHERE segment = ?`, segment);
      }
      this.#count("generation");
    });
  }

  clear(): void {
    this.#store.transaction(() => {
      for (const table of ["postings", "parts", "vectors", "segments", "documents", "models"] as const) {
        this.#run(`DELETE FROM ${this.#tables[table]}`);
      }
      this.#count("generation");
    });
  }

  /** Writes or replaces one model's vectors of a segment. */
  putVectors(segment: number, { model, scales, rows }: PackedVectors): void {
    this.#store.transaction(() => {
      this.#run(
        `INSERT OR REPLACE INTO ${this.#tables.vectors} (segment, model, version, scales, rows) VALUES (?, ?, ?, ?, ?)`,
        segment,
        this.#modelNumber(model),
        this.#count("version"),
        asBytes(scales),
        asBytes(rows),
      );
      this.#count("generation");
    });
  }

  /** Deletes the vectors of other versions of this model: no question is embedded with those any more. */
  dropOlderVectors({ id, sha256, dims }: ModelIdentity): void {
    const { models, vectors } = this.#tables;
    this.#store.transaction(() => {
      this.#run(
        `DELETE FROM ${vectors} WHERE model IN (SELECT model FROM ${models} WHERE id = ? AND (sha256 <> ? OR dims <> ?))`,
        id,
        sha256,
        dims,
      );
      this.#count("generation");
    });
  }

  #modelNumber({ id, sha256, dims }: ModelIdentity): number {
    const { models } = this.#tables;
    this.#run(`INSERT OR IGNORE INTO ${models} (id, sha256, dims) VALUES (?, ?, ?)`, id, sha256, dims);
    const find = this.#store.prepare(`SELECT model FROM ${models} WHERE id = ? AND sha256 = ? AND dims = ?`);
    return numberIn(find.get(id, sha256, dims), "model");
  }

  #addBuckets(segment: number, { postings, bucketEnds }: NewSegment): void {
    const insert = this.#store.prepare(
      `INSERT INTO ${this.#tables.postings} (bucket, content) VALUES (?, ?)`,
    );
    let start = 0;
    for (const [bucket, end] of bucketEnds.entries()) {
      insert.run(bucketRow(segment, bucket), postings.subarray(start, end));
      start = end;
    }
  }

  #bury(segment: number, documents: readonly number[]): void {
    const { segments, parts } = this.#tables;
    const row = this.#store.prepare(`SELECT chunks, dead FROM ${segments} WHERE segment = ?`).get(segment);
    const part = this.#store.prepare(
      `SELECT content FROM ${parts} WHERE segment = ? AND name = 'document_starts'`,
    );
    const starts = asUint32(blobIn(part.get(segment), "content") ?? new Uint8Array());
    const known = blobIn(row, "dead");
    const dead = known ? new Uint8Array(known) : new Uint8Array(numberIn(row, "chunks"));
    for (const document of documents) dead.fill(1, starts[document], starts[document + 1]);
    const live = dead.length - dead.reduce((sum, flag) => sum + flag, 0);
    this.#run(
      `UPDATE ${segments} SET dead = ?, live = ?, documents = documents - ? WHERE segment = ?`,
      dead,
      live,
      documents.length,
      segment,
    );
    if (live === 0) this.drop([segment]);
  }

  /** The next value of a counter that is never used twice. */
  #count(key: "generation" | "segment" | "version"): number {
    const { state } = this.#tables;
    this.#run(
      `INSERT INTO ${state} (key, value) VALUES (?, 1) ON CONFLICT (key) DO UPDATE SET value = value + 1`,
      key,
    );
    return numberIn(this.#store.prepare(`SELECT value FROM ${state} WHERE key = ?`).get(key), "value");
  }

  #run(sql: string, ...values: (string | number | Uint8Array)[]): void {
    this.#store.prepare(sql).run(...values);
  }
}
