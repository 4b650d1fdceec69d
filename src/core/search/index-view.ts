import type { Store } from "../store/store.ts";
import { hashOf } from "./postings/postings.ts";
import type { ChunkRole, RankCandidate } from "./rank/candidate.ts";
import type { IndexCounts, ModelCoverage, ModelIdentity } from "./search-index.ts";
import { numberIn, textIn } from "./segments/rows.ts";
import { IndexSegment, segmentRow } from "./segments/segment.ts";
import { storedScales } from "./segments/stored-vectors.ts";
import type { Tables } from "./segments/tables.ts";

export interface KnownModel extends ModelIdentity {
  readonly number: number;
}

const ROLES: readonly ChunkRole[] = ["test", "declaration"];

export const isSameModel = (a: ModelIdentity, b: ModelIdentity): boolean =>
  a.id === b.id && a.sha256 === b.sha256 && a.dims === b.dims;

/**
 * What this process knows of the index, at one generation. `refresh` is one small read when nothing changed, whichever
 * process would have changed it; otherwise only what is new is read.
 */
export class IndexView {
  readonly store: Store;
  readonly tables: Tables;
  #generation = -1;
  #segments: readonly IndexSegment[] = [];
  #bases = new Uint32Array(0);
  #size = 0;
  #live = 0;
  #models: readonly KnownModel[] = [];
  #liveMask: Uint8Array | undefined;
  #lengthNorms: Float32Array | undefined;
  #coverage: readonly (ModelCoverage & KnownModel)[] | undefined;

  constructor(store: Store, tables: Tables) {
    this.store = store;
    this.tables = tables;
  }

  get segments(): readonly IndexSegment[] {
    return this.#segments;
  }
  /** Chunks in all segments, dead ones included: the space of global ordinals. */
  get size(): number {
    return this.#size;
  }
  get live(): number {
    return this.#live;
  }
  get models(): readonly KnownModel[] {
    return this.#models;
  }
  /** `undefined` where no vector of this model was ever put. */
  model(wanted: ModelIdentity): KnownModel | undefined {
    return this.#models.find((known) => isSameModel(known, wanted));
  }
  get generation(): number {
    return this.#generation;
  }
  base(index: number): number {
    return this.#bases[index] ?? 0;
  }

  /** To be called within a snapshot of the store, so that all that follows is of one generation. */
  refresh(): void {
    const generation = this.storedGeneration();
    if (generation === this.#generation) return;
    const known = new Map(this.#segments.map((segment) => [segment.number, segment]));
    const rows = this.store.prepare(
      `SELECT segment, chunks, live, buckets, dead FROM ${this.tables.segments} ORDER BY segment`,
    );
    this.#segments = rows.all().map((raw) => {
      const row = segmentRow(raw);
      const old = known.get(row.segment);
      old?.bury(row);
      return old ?? new IndexSegment(this.store, this.tables, row);
    });
    this.#bases = new Uint32Array(this.#segments.length);
    this.#size = 0;
    this.#live = 0;
    for (const [index, segment] of this.#segments.entries()) {
      this.#bases[index] = this.#size;
      this.#size += segment.chunks;
      this.#live += segment.live;
    }
    this.#models = this.#readModels();
    this.#liveMask = undefined;
    this.#lengthNorms = undefined;
    this.#coverage = undefined;
    this.#generation = generation;
  }

  /** Which segment a global ordinal lies in. */
  locate(ordinal: number): { readonly segment: IndexSegment; readonly local: number } | undefined {
    let index = this.#bases.length - 1;
    while (index > 0 && (this.#bases[index] ?? 0) > ordinal) index--;
    const segment = this.#segments[index];
    return segment && { segment, local: ordinal - (this.#bases[index] ?? 0) };
  }
  chunkId(ordinal: number): string {
    const found = this.locate(ordinal);
    return found ? found.segment.chunkId(found.local) : "";
  }

  /** The lists of a term, one for each segment. */
  postings(term: string): readonly Uint32Array[] {
    const hash = hashOf(term);
    return this.#segments.map((segment) => segment.postings(term, hash));
  }
  /** Whether any chunk has the term. */
  hasPostings(term: string): boolean {
    const hash = hashOf(term);
    return this.#segments.some((segment) => segment.postings(term, hash).length > 0);
  }
  hasTerm(ordinal: number, term: string): boolean {
    const found = this.locate(ordinal);
    return found?.segment.hasTerm(found.local, term) ?? false;
  }

  /** Which document a chunk belongs to, by a number of its own, and what its attributes say. */
  placeOf(ordinal: number): Pick<RankCandidate, "document" | "path" | "kind" | "role" | "longFunction"> {
    const found = this.locate(ordinal);
    if (!found) return { document: -1, path: "", kind: "", role: undefined, longFunction: "" };
    const { segment, local } = found;
    const role = segment.text("role", local);
    const first = segment.documentStarts()[segment.documentOf(local)] ?? 0;
    return {
      document: ordinal - local + first,
      path: segment.text("path", local),
      kind: segment.text("kind", local),
      role: role === "" ? undefined : ROLES.find((known) => known === role),
      longFunction: segment.text("long_function", local),
    };
  }

  /** One byte for each global ordinal: 1 if it is alive. Not to be changed. */
  liveMask(): Uint8Array {
    this.#liveMask ??= this.#readLive();
    return this.#liveMask;
  }
  #readLive(): Uint8Array {
    const mask = new Uint8Array(this.#size);
    for (const [index, segment] of this.#segments.entries()) {
      const own = mask.subarray(this.base(index), this.base(index) + segment.chunks);
      if (segment.live === segment.chunks) own.fill(1);
      else for (let local = 0; local < own.length; local++) own[local] = segment.isLive(local) ? 1 : 0;
    }
    return mask;
  }

  /** What BM25 divides by for each chunk: longer than the average of the living is worth less. */
  lengthNorms({ k1, b }: { readonly k1: number; readonly b: number }): Float32Array {
    if (this.#lengthNorms) return this.#lengthNorms;
    const norms = new Float32Array(this.#size);
    let total = 0;
    for (const [index, segment] of this.#segments.entries()) {
      const lengths = segment.lengths();
      norms.set(lengths, this.base(index));
      for (let local = 0; local < lengths.length; local++) {
        if (segment.isLive(local)) total += lengths[local] ?? 0;
      }
    }
    const average = total / Math.max(1, this.#live) || 1;
    for (let at = 0; at < norms.length; at++) norms[at] = k1 * (1 - b + (b * (norms[at] ?? 0)) / average);
    this.#lengthNorms = norms;
    return norms;
  }

  /** How many living chunks each model has embedded. */
  coverage(): readonly (ModelCoverage & KnownModel)[] {
    this.#coverage ??= this.#countVectors();
    return this.#coverage;
  }

  #countVectors(): (ModelCoverage & KnownModel)[] {
    return this.#models.map((model) => {
      let vectors = 0;
      for (const segment of this.#segments) {
        const scales = storedScales(this, segment.number, model.number);
        for (let local = 0; local < scales.length; local++) {
          if (scales[local] !== 0 && segment.isLive(local)) vectors++;
        }
      }
      return { ...model, vectors };
    });
  }

  counts(): IndexCounts {
    const row = this.store.prepare(`SELECT count(*) AS documents FROM ${this.tables.documents}`).get();
    const models = this.coverage().map(({ id, sha256, dims, vectors }) => ({ id, sha256, dims, vectors }));
    return {
      documents: numberIn(row, "documents"),
      chunks: this.#live,
      segments: this.#segments.length,
      models: models.filter((model) => model.vectors > 0),
    };
  }

  /** The store's own, which is this view's after `refresh`. */
  storedGeneration(): number {
    const row = this.store.prepare(`SELECT value FROM ${this.tables.state} WHERE key = 'generation'`).get();
    return numberIn(row, "value");
  }

  #readModels(): KnownModel[] {
    const rows = this.store.prepare(
      `SELECT model, id, sha256, dims FROM ${this.tables.models} ORDER BY model`,
    );
    return rows.all().map((row) => ({
      number: numberIn(row, "model"),
      id: textIn(row, "id"),
      sha256: textIn(row, "sha256"),
      dims: numberIn(row, "dims"),
    }));
  }
}
