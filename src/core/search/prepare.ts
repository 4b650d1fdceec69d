import { deflateRawSync, inflateRawSync } from "node:zlib";
import { asBytes, asUint32 } from "./postings/bytes.ts";
import { PackedStrings, packStrings } from "./postings/packed-strings.ts";
import { FIELD, PostingsBuilder } from "./postings/postings-builder.ts";
import type {
  Attributes,
  AttributeValue,
  Chunk,
  IndexedDocument,
  PackedVectors,
  PreparedBatch,
} from "./search-index.ts";
import { packColumn, packColumns } from "./segments/columns.ts";
import { lesserNameTerm, titleTerms } from "./text/names.ts";
import { strideOf } from "./vectors/quantise.ts";
import type { VectorMaker } from "./vectors/vector-maker.ts";

/** No model here reads further. */
const MAX_EMBED_TEXT = 2000;
const FIRST_ROWS = 256;

/** Everything about a batch that can be worked out without the database. A pure function for worker threads. */
export function prepareDocuments(documents: readonly IndexedDocument[], model?: VectorMaker): PreparedBatch {
  const batch = new BatchBuilder(model, { keepsTexts: true });
  for (const document of documents) batch.add(document);
  return batch.finish();
}

/**
 * Takes the documents of a batch one by one: terms, columns and, with a `model`, vectors. The texts of a document can be
 * forgotten before the next is read. A batch becomes a segment: two to four thousand chunks is a good size.
 */
export class BatchBuilder {
  readonly #documentIds: string[] = [];
  readonly #chunkCounts: number[] = [];
  readonly #chunkIds: string[] = [];
  readonly #priorities: number[] = [];
  readonly #attributes: Attributes[] = [];
  readonly #texts: string[] | undefined;
  readonly #postings = new PostingsBuilder();
  readonly #vectors: VectorRows | undefined;

  /** Without `keepsTexts`, the room tells what was embedded when a better model asks (`UpgradeOptions.textOf`). */
  constructor(model: VectorMaker | undefined, { keepsTexts }: { readonly keepsTexts: boolean }) {
    this.#vectors = model && new VectorRows(model);
    this.#texts = keepsTexts ? [] : undefined;
  }

  add({ id, path, attributes, chunks }: IndexedDocument): void {
    this.#documentIds.push(id);
    this.#chunkCounts.push(chunks.length);
    for (const chunk of chunks) {
      this.#chunkIds.push(chunk.id);
      this.#priorities.push(chunk.priority ?? 0);
      this.#attributes.push({ ...attributes, ...chunk.attributes });
      this.#addTerms(path, chunk);
      const text = chunk.embedText.slice(0, MAX_EMBED_TEXT);
      this.#texts?.push(text);
      this.#vectors?.add(text);
    }
  }

  finish(): PreparedBatch {
    const { postings, bucketEnds, lengths } = this.#postings.finish();
    const columns = Object.entries(packColumns(this.#attributes));
    return {
      documentIds: this.#documentIds,
      chunkCount: this.#chunkIds.length,
      postings,
      bucketEnds,
      parts: {
        lengths: asBytes(lengths),
        document_starts: asBytes(startsOf(this.#chunkCounts)),
        document_ids: packStrings(this.#documentIds),
        chunk_ids: packStrings(this.#chunkIds),
        priorities: Uint8Array.from(this.#priorities),
        ...(this.#texts && { texts: packTexts(this.#texts) }),
        ...Object.fromEntries(columns.map(([name, column]) => [`attribute/${name}`, column])),
      },
      vectors: this.#vectors?.take(),
    };
  }

  #addTerms(path: string, { title, names = title.split("\n"), memberNames = [], doc, body }: Chunk): void {
    const postings = this.#postings;
    postings.field(title, FIELD.title);
    for (const term of names.flatMap(titleTerms)) postings.term(term, FIELD.title);
    for (const name of memberNames) postings.term(lesserNameTerm(name), FIELD.title);
    postings.field(doc, FIELD.doc);
    postings.field(path, FIELD.path);
    postings.body(body);
    postings.endChunk();
  }
}

/** The vectors of a batch, in an array that grows. */
class VectorRows {
  readonly #model: VectorMaker;
  readonly #stride: number;
  readonly #scales: number[] = [];
  #rows: Int8Array<ArrayBuffer>;

  constructor(model: VectorMaker) {
    this.#model = model;
    this.#stride = strideOf(model.identity.dims);
    this.#rows = new Int8Array(FIRST_ROWS * this.#stride);
  }

  add(text: string): void {
    const from = this.#scales.length * this.#stride;
    if (from === this.#rows.length) {
      const grown = new Int8Array(this.#rows.length * 2);
      grown.set(this.#rows);
      this.#rows = grown;
    }
    this.#scales.push(this.#model.write(text, this.#rows.subarray(from, from + this.#stride)));
  }

  take(): PackedVectors {
    const rows = this.#rows.slice(0, this.#scales.length * this.#stride);
    return { model: this.#model.identity, scales: Float32Array.from(this.#scales), rows };
  }
}

/** The batch with other values of one attribute: one for each of its documents. */
export function withAttribute(
  batch: PreparedBatch,
  name: string,
  values: readonly AttributeValue[],
): PreparedBatch {
  const starts = asUint32(batch.parts["document_starts"] ?? new Uint8Array());
  const ofChunks = values.flatMap((value, document) =>
    Array.from({ length: (starts[document + 1] ?? 0) - (starts[document] ?? 0) }, () => value),
  );
  return { ...batch, parts: { ...batch.parts, [`attribute/${name}`]: packColumn(ofChunks) } };
}

/** The buffers of a batch, for `postMessage`. */
export function transferables(batch: PreparedBatch): ArrayBuffer[] {
  const views = [batch.postings, batch.bucketEnds, ...Object.values(batch.parts)];
  const all = batch.vectors ? [...views, batch.vectors.scales, batch.vectors.rows] : views;
  const buffers = all.map((view) => view.buffer).filter((buffer) => buffer instanceof ArrayBuffer);
  return [...new Set(buffers)];
}

/** Texts are only read again to be embedded by a better model, in order: one compressed block is enough. */
export const packTexts = (texts: readonly string[]): Uint8Array =>
  new Uint8Array(deflateRawSync(packStrings(texts), { level: 1 }));
export const unpackTexts = (packed: Uint8Array): PackedStrings => new PackedStrings(inflateRawSync(packed));

/** Where each document's chunks begin, and one more: the end. */
export function startsOf(chunkCounts: readonly number[]): Uint32Array {
  const starts = new Uint32Array(chunkCounts.length + 1);
  for (const [index, count] of chunkCounts.entries()) starts[index + 1] = (starts[index] ?? 0) + count;
  return starts;
}
