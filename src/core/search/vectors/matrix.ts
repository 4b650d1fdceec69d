import type { IndexView, KnownModel } from "../index-view.ts";
import { numberIn } from "../segments/rows.ts";
import type { IndexSegment } from "../segments/segment.ts";
import { storedVectors } from "../segments/stored-vectors.ts";
import { openKernel } from "./kernel.ts";
import { quantise, strideOf } from "./quantise.ts";

interface Slab {
  /** Where its rows begin in the kernel's memory. */
  readonly at: number;
  readonly rows: number;
  /** Where the scales of the rows begin. */
  readonly scalesAt: number;
  /** How many rows are vectors. */
  readonly vectors: number;
}
/** Where the kernel reads sixteen bytes, it may read over the end. */
const padded = (bytes: number): number => Math.ceil(bytes / 16) * 16;

/**
 * All vectors of one model, searched exactly. The first question reads them one segment after another into the same memory: a
 * command asks only once. From the second on they are kept there, and only what is new is read.
 */
export class VectorMatrix {
  readonly model: KnownModel;
  readonly #stride: number;
  #wasAsked = false;
  #kernel = openKernel();
  #slabs = new Map<number, Slab & { readonly version: number }>();
  #used = 0;
  #generation = -1;

  constructor(model: KnownModel) {
    this.model = model;
    this.#stride = strideOf(model.dims);
  }

  /** Keeps all vectors of the view. Within a snapshot, after the view's own refresh, as is `cosines`. */
  refresh(view: IndexView): void {
    if (this.#generation === view.generation) return;
    const versions = this.#versions(view);
    const kept = [...this.#slabs].filter(([segment, slab]) => versions.get(segment) === slab.version);
    const keptBytes = kept.reduce((sum, [, slab]) => sum + this.#bytesOf(slab.rows), 0);
    this.#slabs = new Map(kept);
    // Slabs that were dropped leave holes: once they outweigh the rest, everything is read anew.
    if (this.#used > 2 * keptBytes) this.#startOver();
    for (const segment of view.segments) {
      const version = versions.get(segment.number);
      if (version === undefined || this.#slabs.has(segment.number)) continue;
      this.#kernel.reserve(this.#used + this.#bytesOf(segment.chunks));
      const slab = this.#read(view, segment, this.#used);
      if (!slab) continue;
      this.#slabs.set(segment.number, { ...slab, version });
      this.#used += this.#bytesOf(slab.rows);
    }
    this.#generation = view.generation;
  }

  /**
   * The cosine of every chunk with the query, below −1 for those masked or without a vector, and how many had one. The
   * array is the matrix's own and holds until the next call.
   */
  cosines(view: IndexView, query: Float32Array, mask: Uint8Array) {
    const isFirst = !this.#wasAsked && this.#used === 0;
    this.#wasAsked = true;
    if (!isFirst) this.refresh(view);
    const largest = isFirst ? view.segments.reduce((most, { chunks }) => Math.max(most, chunks), 0) : 0;
    const queryAt = this.#used + this.#bytesOf(largest);
    const outAt = queryAt + this.#stride * 2;
    this.#kernel.reserve(outAt + padded(view.size * 4) + 16);
    const row = new Int8Array(this.#stride);
    const queryScale = quantise(query, row);
    new Int16Array(this.#kernel.buffer(), queryAt, this.#stride).set(row);
    const cosines = new Float32Array(this.#kernel.buffer(), outAt, view.size);
    let compared = 0;
    // In the order of their places: what the kernel writes over the end of one belongs to the next.
    for (const [index, segment] of view.segments.entries()) {
      const slab = isFirst ? this.#read(view, segment, 0) : this.#slabs.get(segment.number);
      const base = view.base(index);
      if (slab?.rows !== segment.chunks) {
        cosines.fill(NO_VECTOR, base, base + segment.chunks);
        continue;
      }
      const slabOut = outAt + base * 4;
      this.#kernel.dot(slab.at, queryAt, slabOut, slab.rows, this.#stride);
      this.#kernel.scale(slabOut, slab.scalesAt, slab.rows, queryScale);
      compared += slab.vectors;
    }
    const isAllLive = view.live === view.size && mask === view.liveMask();
    return { cosines, compared: isAllLive ? compared : applyMask(cosines, mask) };
  }

  #versions(view: IndexView): Map<number, number> {
    const find = view.store.prepare(`SELECT segment, version FROM ${view.tables.vectors} WHERE model = ?`);
    const rows = find.all(this.model.number);
    return new Map(rows.map((row) => [numberIn(row, "segment"), numberIn(row, "version")]));
  }

  #startOver(): void {
    this.#slabs = new Map();
    this.#used = 0;
    this.#kernel = openKernel();
  }

  /** Reads the vectors of a segment into the kernel's memory, which has room for them. */
  #read(view: IndexView, { number, chunks }: IndexSegment, at: number): Slab | undefined {
    const { scales, rows } = storedVectors(view, number, this.model.number) ?? {};
    if (!rows || scales?.length !== chunks || rows.length !== chunks * this.#stride) return undefined;
    const scalesAt = at + rows.length;
    new Int8Array(this.#kernel.buffer(), at, rows.length).set(rows);
    new Float32Array(this.#kernel.buffer(), scalesAt, scales.length).set(scales);
    const vectors = scales.reduce((count, scale) => (scale === 0 ? count : count + 1), 0);
    return { at, rows: chunks, scalesAt, vectors };
  }

  /** Of rows with their scales. */
  #bytesOf(rows: number): number {
    return rows * this.#stride + padded(rows * 4);
  }
}

const NO_VECTOR = -2;

/** Gives how many are left. */
function applyMask(cosines: Float32Array, mask: Uint8Array): number {
  let left = 0;
  for (let at = 0; at < cosines.length; at++) {
    if (mask[at] === 0) cosines[at] = NO_VECTOR;
    else if (cosines[at] !== NO_VECTOR) left++;
  }
  return left;
}
