import type { IndexView, KnownModel } from "../index-view.ts";
import { asBytes } from "../postings/bytes.ts";
import { type PackedStrings, packStrings } from "../postings/packed-strings.ts";
import { encodePostings, type TermList } from "../postings/postings.ts";
import { packTexts, startsOf } from "../prepare.ts";
import type { PackedVectors } from "../search-index.ts";
import { strideOf } from "../vectors/quantise.ts";
import { packColumn } from "./columns.ts";
import type { IndexSegment } from "./segment.ts";
import type { NewSegment } from "./segment-writer.ts";
import { storedVectors } from "./stored-vectors.ts";

/** One segment in place of several: the same living chunks in the same order, and nothing of the dead. */
export function merge(view: IndexView, segments: readonly IndexSegment[]): NewSegment {
  const sources = segments.map((segment) => new MergeSource(segment));
  const chunks = sources.flatMap(({ segment, kept }) => kept.map((local) => ({ segment, local })));
  const documents = sources.flatMap((source) => source.documents());
  const attributes = [...new Set(segments.flatMap((segment) => segment.attributeNames()))];
  const column = (name: string) =>
    packColumn(
      chunks.map(({ segment, local }) => {
        const found = segment.column(name);
        return found?.values[found.codes[local] ?? 0];
      }),
    );
  const { filter, ...encoded } = mergePostings(sources);
  const parts = {
    terms: filter,
    lengths: asBytes(Uint16Array.from(chunks, ({ segment, local }) => segment.lengths()[local] ?? 0)),
    document_starts: asBytes(startsOf(documents.map((document) => document.chunks))),
    document_ids: packStrings(documents.map((document) => document.id)),
    chunk_ids: packStrings(chunks.map(({ segment, local }) => segment.chunkId(local))),
    priorities: Uint8Array.from(sources.flatMap((source) => source.priorities())),
    ...(sources.every(({ texts }) => texts) && {
      texts: packTexts(sources.flatMap((source) => source.keptTexts())),
    }),
    ...Object.fromEntries(attributes.map((name) => [`attribute/${name}`, column(name)])),
  };
  const vectors = view.models.flatMap((model) => mergeVectors(view, sources, model));
  const documentIds = documents.map((document) => document.id);
  return { documentIds, chunkCount: chunks.length, ...encoded, parts, vectors };
}

/** A segment that is merged away, and where its living chunks go. */
class MergeSource {
  readonly segment: IndexSegment;
  readonly kept: readonly number[];
  readonly texts: PackedStrings | undefined;

  constructor(segment: IndexSegment) {
    this.segment = segment;
    this.texts = segment.texts();
    this.kept = Array.from({ length: segment.chunks }, (_, local) => local).filter((local) =>
      segment.isLive(local),
    );
  }

  documents(): { readonly id: string; readonly chunks: number }[] {
    const starts = this.segment.documentStarts();
    return Array.from({ length: Math.max(0, starts.length - 1) }, (_, document) => ({
      document,
      from: starts[document] ?? 0,
      to: starts[document + 1] ?? 0,
    }))
      .filter(({ from, to }) => from < to && this.segment.isLive(from))
      .map(({ document, from, to }) => ({ id: this.segment.documentId(document), chunks: to - from }));
  }
  priorities(): number[] {
    const packed = this.segment.part("priorities");
    return this.kept.map((local) => packed[local] ?? 0);
  }
  keptTexts(): string[] {
    return this.kept.map((local) => this.texts?.at(local) ?? "");
  }
}

function mergePostings(sources: readonly MergeSource[]) {
  const lists = new Map<string, number[]>();
  let base = 0;
  for (const { segment, kept } of sources) {
    const places = new Int32Array(segment.chunks).fill(-1);
    for (const local of kept) places[local] = base++;
    for (const { term, postings } of segment.everyTerm()) addMoved(lists, term, postings, places);
  }
  return encodePostings([...lists].map(([term, postings]): TermList => ({ term, postings })));
}

function addMoved(
  lists: Map<string, number[]>,
  term: string,
  postings: ArrayLike<number>,
  places: Int32Array,
): void {
  const list = lists.get(term) ?? [];
  for (let at = 0; at < postings.length; at++) {
    const posting = postings[at] ?? 0;
    const place = places[posting >>> 8] ?? -1;
    if (place >= 0) list.push(((place << 8) | (posting & 255)) >>> 0);
  }
  if (list.length > 0) lists.set(term, list);
}

function mergeVectors(view: IndexView, sources: readonly MergeSource[], model: KnownModel): PackedVectors[] {
  const stride = strideOf(model.dims);
  const count = sources.reduce((sum, source) => sum + source.kept.length, 0);
  const scales = new Float32Array(count);
  const rows = new Int8Array(count * stride);
  let place = 0;
  for (const { segment, kept } of sources) {
    const old = storedVectors(view, segment.number, model.number);
    for (const local of kept) {
      scales[place] = old?.scales[local] ?? 0;
      if (old && scales[place] !== 0)
        rows.set(old.rows.subarray(local * stride, (local + 1) * stride), place * stride);
      place++;
    }
  }
  return scales.some((scale) => scale !== 0) ? [{ model, scales, rows }] : [];
}
