import type { IndexView, KnownModel } from "../index-view.ts";
import { numberIn } from "../segments/rows.ts";
import { storedVectors } from "../segments/stored-vectors.ts";
import { openKernel } from "./kernel.ts";
import { quantise, strideOf } from "./quantise.ts";

interface Slab {
  readonly version: number;
  /** Where its rows begin in the kernel's memory. */
  readonly at: number;
  readonly rows: number;
  readonly scales: Float32Array;
}

/** All vectors of one model in the kernel's memory, searched exactly. Follows the view: only what is new is read. */
export class VectorMatrix {
  readonly model: KnownModel;
  readonly #stride: number;
  #kernel = openKernel();
  #slabs = new Map<number, Slab>();
  #used = 0;
  #cosines = new Float32Array(0);
  #generation = -1;

  constructor(model: KnownModel) {
    this.model = model;
    this.#stride = strideOf(model.dims);
  }

  /** Within a snapshot, after the view's own refresh. */
  refresh(view: IndexView): void {
    if (this.#generation === view.generation) return;
    const versions = this.#versions(view);
    const kept = [...this.#slabs].filter(([segment, slab]) => versions.get(segment) === slab.version);
    const keptRows = kept.reduce((sum, [, slab]) => sum + slab.rows, 0);
    this.#slabs = new Map(kept);
    // Slabs that were dropped leave holes: once they outweigh the rest, everything is read anew.
    if (this.#used > 2 * keptRows * this.#stride) this.#startOver();
    for (const segment of view.segments) {
      const version = versions.get(segment.number);
      if (version !== undefined && !this.#slabs.has(segment.number))
        this.#load(view, segment.number, version);
    }
    this.#generation = view.generation;
  }

  /**
   * The cosine of every chunk with the query, below −1 for those masked or without a vector, and how many had one. The
   * array is the matrix's own and holds until the next call.
   */
  cosines(view: IndexView, query: Float32Array, mask: Uint8Array) {
    if (this.#cosines.length !== view.size) this.#cosines = new Float32Array(view.size);
    const cosines = this.#cosines.fill(-2);
    const most = Math.max(0, ...[...this.#slabs.values()].map((slab) => slab.rows));
    const queryAt = Math.ceil(this.#used / 16) * 16;
    const outAt = queryAt + this.#stride * 2;
    this.#kernel.reserve(outAt + most * 4);
    const row = new Int8Array(this.#stride);
    const queryScale = quantise(query, row);
    new Int16Array(this.#kernel.buffer(), queryAt, this.#stride).set(row);
    let compared = 0;
    for (const [index, segment] of view.segments.entries()) {
      const slab = this.#slabs.get(segment.number);
      if (!slab) continue;
      this.#kernel.dot(slab.at, queryAt, outAt, slab.rows, this.#stride);
      const dots = new Int32Array(this.#kernel.buffer(), outAt, slab.rows);
      const base = view.base(index);
      for (let local = 0; local < slab.rows; local++) {
        const scale = slab.scales[local] ?? 0;
        if (scale === 0 || mask[base + local] === 0) continue;
        cosines[base + local] = (dots[local] ?? 0) * scale * queryScale;
        compared++;
      }
    }
    return { cosines, compared };
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

  #load(view: IndexView, segment: number, version: number): void {
    const { scales, rows } = storedVectors(view, segment, this.model.number) ?? {};
    if (!scales || rows?.length !== scales.length * this.#stride) return;
    this.#kernel.reserve(this.#used + rows.length);
    new Int8Array(this.#kernel.buffer(), this.#used, rows.length).set(rows);
    this.#slabs.set(segment, { version, at: this.#used, rows: scales.length, scales });
    this.#used += rows.length;
  }
}
