import type { IndexView } from "./index-view.ts";
import type { AttributeValue, Filter } from "./search-index.ts";
import type { IndexSegment } from "./segments/segment.ts";

/** Which chunks may be found, one byte for each global ordinal: alive, and passing every filter. */
export function passing(view: IndexView, filters: readonly Filter[]): Uint8Array {
  if (filters.length === 0) return view.liveMask();
  const mask = view.liveMask().slice();
  for (const [index, segment] of view.segments.entries()) {
    const own = mask.subarray(view.base(index), view.base(index) + segment.chunks);
    for (const filter of filters) narrow(own, segment, filter);
  }
  return mask;
}

function narrow(mask: Uint8Array, segment: IndexSegment, filter: Filter): void {
  const column = segment.column(filter.attribute);
  if (!column) {
    if (!holds(filter, undefined)) mask.fill(0);
    return;
  }
  const verdicts = column.values.map((value) => holds(filter, value));
  for (let local = 0; local < mask.length; local++) {
    if (!verdicts[column.codes[local] ?? 0]) mask[local] = 0;
  }
}

function holds(filter: Filter, value: AttributeValue | undefined): boolean {
  if (filter.where && !filter.where(value)) return false;
  if (filter.anyOf && !holdsAny(filter.anyOf, value)) return false;
  if (filter.allOf && !holdsAll(filter.allOf, value)) return false;
  if (filter.atLeast !== undefined && !(compare(value, filter.atLeast) >= 0)) return false;
  return filter.atMost === undefined || compare(value, filter.atMost) <= 0;
}

function holdsAny(
  wanted: readonly (string | number | boolean)[],
  value: AttributeValue | undefined,
): boolean {
  if (typeof value === "object") return value.some((item) => wanted.includes(item));
  return value !== undefined && wanted.includes(value);
}

function holdsAll(wanted: readonly string[], value: AttributeValue | undefined): boolean {
  const held = typeof value === "object" ? value : [value];
  return wanted.every((item) => held.includes(item));
}

/** NaN, which no comparison accepts, where the two cannot be compared. */
function compare(value: AttributeValue | undefined, bound: string | number): number {
  if (typeof value === "number" && typeof bound === "number") return value - bound;
  if (typeof value === "string" && typeof bound === "string")
    return value < bound ? -1 : value > bound ? 1 : 0;
  return Number.NaN;
}
