import { byCodeUnit } from "../../../core/order.ts";
import type { Gathered, PackItem, PackRoom } from "../item.ts";
import type { Omission } from "../render/receipt.ts";
import { findNearDuplicates } from "./near-duplicates.ts";
import { makeSafe, type SafeItem } from "./safe-item.ts";

/** An item with less than this share of the best score of its room is noise. */
const RELEVANT = 0.25;

interface SelectedCandidates {
  readonly candidates: readonly SafeItem[];
  readonly omitted: readonly Omission[];
}

/** Leaves out items of earlier packs, near duplicates of better items, and weak matches. */
export function selectCandidates(
  gathered: ReadonlyMap<PackRoom, Gathered>,
  given: ReadonlySet<string>,
): SelectedCandidates {
  const omitted: Omission[] = [];
  const drop = (item: SafeItem, reason: Omission["reason"]) => {
    omitted.push({ item, reason });
    return [];
  };
  const dropWithoutText = (item: PackItem, reason: Omission["reason"]) =>
    drop(makeSafe(withoutText(item)), reason);
  const relevant = [...gathered.values()].flatMap(({ items }) => {
    const best = items.reduce((most, item) => Math.max(most, item.score), 0);
    return items.flatMap((item) => {
      if (given.has(item.id)) return dropWithoutText(item, "excluded");
      if (item.score < best * RELEVANT) return dropWithoutText(item, "below score");
      const safe = makeSafe(item);
      if (safe.sizes[0]?.text === "") return drop(safe, "stale");
      // Between the scale of the room and a common scale: a room whose best match is poor does not lead.
      return [{ ...safe, value: best === 0 ? 0 : item.score / Math.sqrt(best) }];
    });
  });
  relevant.sort(byScore);
  const duplicates = findNearDuplicates(
    relevant.map(({ id, kind, sizes: [whole] }) => ({
      id,
      kind,
      text: whole?.text ?? "",
      citation: whole?.citation,
    })),
  );
  const unique = relevant.flatMap((item) => (duplicates.has(item.id) ? drop(item, "duplicate") : [item]));
  return { candidates: unique, omitted: omitted.sort((a, b) => byScore(a.item, b.item)) };
}

/** Best first, independent of the order in which items arrive. */
export const byScore = (a: PackItem | SafeItem, b: PackItem | SafeItem): number =>
  b.score - a.score || byCodeUnit(a.id, b.id);

/** The receipt names what was left out, but does not quote it. */
const withoutText = (item: PackItem): PackItem => ({
  ...item,
  sizes: item.sizes.map(({ citation }) => ({ text: "", citation })),
});
