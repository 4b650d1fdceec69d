import { deflateRawSync, inflateRawSync } from "node:zlib";
import { asBytes, asUint32 } from "./postings/bytes.ts";
import { PackedStrings, packStrings } from "./postings/packed-strings.ts";
import { FIELD, PostingsBuilder } from "./postings/postings-builder.ts";
import type { AttributeValue, Chunk, IndexedDocument, PackedVectors, PreparedBatch } from "./search-index.ts";
import { packColumn, packColumns } from "./segments/columns.ts";
import { lesserNameTerm, titleTerms } from "./text/names.ts";
import { strideOf } from "./vectors/quantise.ts";
import type { VectorMaker } from "./vectors/vector-maker.ts";

/** No model here reads further. */
const MAX_EMBED_TEXT = 2000;

interface PrepareOptions {
  /** False if the room can tell what was embedded when a better model asks: see `UpgradeOptions.textOf`. */
  readonly keepsTexts: boolean;
}

/**
 * Everything about a batch that can be worked out without the database: terms, columns and, with a `model`, vectors.
 * A pure function for worker threads. A batch becomes a segment: two to four thousand chunks is a good size. One step is done
 * for all chunks before the next: in turns, the tables of each would push those of the others out of the processor's cache.
 */
export function prepareDocuments(
  documents: readonly IndexedDocument[],
  model?: VectorMaker,
  { keepsTexts }: PrepareOptions = { keepsTexts: true },
): PreparedBatch {
  const chunks = documents.flatMap((document) => document.chunks);
  const { postings, bucketEnds, filter, lengths } = postingsOf(documents);
  const attributes = documents.flatMap((document) =>
    document.chunks.map((chunk) => ({ ...document.attributes, ...chunk.attributes })),
  );
  const columns = Object.entries(packColumns(attributes));
  return {
    documentIds: documents.map((document) => document.id),
    chunkCount: chunks.length,
    postings,
    bucketEnds,
    parts: {
      terms: filter,
      lengths: asBytes(lengths),
      document_starts: asBytes(startsOf(documents.map((document) => document.chunks.length))),
      document_ids: packStrings(documents.map((document) => document.id)),
      chunk_ids: packStrings(chunks.map((chunk) => chunk.id)),
      priorities: Uint8Array.from(chunks, (chunk) => chunk.priority ?? 0),
      ...(keepsTexts && { texts: packTexts(chunks.map((chunk) => chunk.embedText)) }),
      ...Object.fromEntries(columns.map(([name, column]) => [`attribute/${name}`, column])),
    },
    vectors: model && vectorsOf(chunks, model),
  };
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
  new Uint8Array(
    deflateRawSync(packStrings(texts.map((text) => text.slice(0, MAX_EMBED_TEXT))), { level: 1 }),
  );
export const unpackTexts = (packed: Uint8Array): PackedStrings => new PackedStrings(inflateRawSync(packed));

/** Where each document's chunks begin, and one more: the end. */
export function startsOf(chunkCounts: readonly number[]): Uint32Array {
  const starts = new Uint32Array(chunkCounts.length + 1);
  for (const [index, count] of chunkCounts.entries()) starts[index + 1] = (starts[index] ?? 0) + count;
  return starts;
}

function postingsOf(documents: readonly IndexedDocument[]) {
  const builder = new PostingsBuilder();
  for (const document of documents) {
    for (const chunk of document.chunks) {
      builder.field(chunk.title, FIELD.title);
      const names = chunk.names ?? chunk.title.split("\n");
      for (const term of names.flatMap(titleTerms)) builder.term(term, FIELD.title);
      for (const name of chunk.memberNames ?? []) builder.term(lesserNameTerm(name), FIELD.title);
      builder.field(chunk.doc, FIELD.doc);
      builder.field(document.path, FIELD.path);
      builder.body(chunk.body);
      builder.endChunk();
    }
  }
  return builder.finish();
}

function vectorsOf(chunks: readonly Chunk[], model: VectorMaker): PackedVectors {
  const stride = strideOf(model.identity.dims);
  const scales = new Float32Array(chunks.length);
  const rows = new Int8Array(chunks.length * stride);
  for (const [index, chunk] of chunks.entries()) {
    const row = rows.subarray(index * stride, (index + 1) * stride);
    scales[index] = model.write(chunk.embedText.slice(0, MAX_EMBED_TEXT), row);
  }
  return { model: model.identity, scales, rows };
}
