import type { IndexView } from "../index-view.ts";
import { asFloat32 } from "../postings/bytes.ts";
import { blobIn } from "./rows.ts";

type VectorTables = Pick<IndexView, "store" | "tables">;

/** One model's scales of a segment, without the rows: enough to know which chunks have a vector. */
export function storedScales({ store, tables }: VectorTables, segment: number, model: number): Float32Array {
  const find = store.prepare(`SELECT scales FROM ${tables.vectors} WHERE segment = ? AND model = ?`);
  return asFloat32(blobIn(find.get(segment, model), "scales") ?? new Uint8Array());
}

/** One model's vectors of a segment, the caller's own; `undefined` where it has none. */
export function storedVectors({ store, tables }: VectorTables, segment: number, model: number) {
  const find = store.prepare(`SELECT scales, rows FROM ${tables.vectors} WHERE segment = ? AND model = ?`);
  const row = find.get(segment, model);
  const scales = blobIn(row, "scales");
  const rows = blobIn(row, "rows");
  if (!scales || !rows) return undefined;
  return {
    scales: asFloat32(scales),
    rows: new Int8Array(rows.buffer, rows.byteOffset, rows.byteLength),
  };
}
