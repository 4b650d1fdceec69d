import { byCodeUnit } from "../../../core/order.ts";
import type { Item, SourceListing } from "../connectors/connector.ts";
import type { ItemRecord } from "./sync-records.ts";

/** Which items a run reads. */
export interface SyncSelection {
  /** Read everything again; unchanged content is still not written again. */
  readonly full: boolean;
  /** Seconds since 1970, inclusive. */
  readonly since: number | undefined;
  readonly until: number | undefined;
  /** Most items to read. */
  readonly limit: number | undefined;
  /** If given, only these topics are read besides what is stored. */
  readonly topics?: readonly string[] | undefined;
}

/** What to do with listed items and with known items that are not listed. */
export interface ItemChoice {
  readonly toRead: readonly Item[];
  /** Unchanged since the last sync: nothing to read. */
  readonly same: ReadonlyMap<string, ItemRecord>;
  /** Source ids that are no longer at the source. */
  readonly left: readonly string[];
}

export function chooseItems(
  listing: SourceListing,
  known: ReadonlyMap<string, ItemRecord>,
  selection: SyncSelection,
): ItemChoice {
  const same = new Map<string, ItemRecord>();
  const toRead: Item[] = [];
  for (const item of listing.items) {
    if (item.updatedAt !== undefined && !isWithin(item.updatedAt, selection)) continue;
    const entry = known.get(item.sourceId);
    const isSame = entry !== undefined && item.stamp !== undefined && entry.stamp === item.stamp;
    if (isSame && !selection.full) same.set(item.sourceId, entry);
    else toRead.push(item);
  }
  // New items first, so that runs with a limit make progress.
  const rank = ({ sourceId }: Item) => (known.has(sourceId) ? 1 : 0);
  toRead.sort((a, b) => rank(a) - rank(b) || byCodeUnit(a.sourceId, b.sourceId));
  return { toRead: toRead.slice(0, selection.limit), same, left: leftOf(listing, known, selection) };
}

export const isWithin = (
  time: number,
  { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY }: SyncSelection,
): boolean => time >= since && time <= until;

/** Whether a run may skip items. */
export const isNarrowed = ({ since, until, limit }: SyncSelection): boolean =>
  since !== undefined || until !== undefined || limit !== undefined;

/** Empty if the listing may be incomplete. */
function leftOf(
  { items, problems, isPartial = false }: SourceListing,
  known: ReadonlyMap<string, ItemRecord>,
  selection: SyncSelection,
): string[] {
  if (isNarrowed(selection) || problems.length > 0 || isPartial) return [];
  const present = new Set(items.map(({ sourceId }) => sourceId));
  return [...known.keys()].filter((sourceId) => !present.has(sourceId));
}
