import { byCodeUnit } from "../../core/order.ts";
import type { Gathered, PackItem, PackRoom } from "./item.ts";
import { findNearDuplicates } from "./near-duplicates.ts";
import type { Omission } from "./receipt.ts";
import { makeSafe, type SafeItem } from "./safe-item.ts";

/** Below this part of the best score of its room an item is noise. */
const RELEVANT = 0.25;
/** The second thing of one name tells less than the first: twenty tables alike are one answer. */
const SAME_NAME = 0.6;

export interface Sifted {
  readonly candidates: readonly SafeItem[];
  readonly omitted: readonly Omission[];
}

/** Leaves out what was given before, what says the same as something better, and what barely matches. */
export function sift(gathered: ReadonlyMap<PackRoom, Gathered>, given: ReadonlySet<string>): Sifted {
  const omitted: Omission[] = [];
  const drop = (item: SafeItem, reason: Omission["reason"]) => {
    omitted.push({ item, reason });
    return [];
  };
  const dropUnread = (item: PackItem, reason: Omission["reason"]) =>
    drop(makeSafe(withoutText(item)), reason);
  const relevant = [...gathered.values()].flatMap(({ items }) => {
    const best = items.reduce((most, item) => Math.max(most, item.score), 0);
    return items.flatMap((item) => {
      if (given.has(item.id)) return dropUnread(item, "excluded");
      if (item.score < best * RELEVANT) return dropUnread(item, "below score");
      const safe = makeSafe(item);
      if (safe.sizes[0]?.text === "") return drop(safe, "stale");
      // Half way between the room's own scale and a common one: a room whose best is poor does not lead.
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
  return { candidates: lessForSameName(unique), omitted: omitted.sort((a, b) => byScore(a.item, b.item)) };
}

/** Best first; the same whatever order items came in. */
export const byScore = (a: PackItem | SafeItem, b: PackItem | SafeItem): number =>
  b.score - a.score || byCodeUnit(a.id, b.id);

/** For the receipt, which names what was left out and does not quote it. */
const withoutText = (item: PackItem): PackItem => ({
  ...item,
  sizes: item.sizes.map(({ citation }) => ({ text: "", citation })),
});

function lessForSameName(items: readonly SafeItem[]): SafeItem[] {
  const names = new Map<string, number>();
  return items.map((item) => {
    const name = `${item.kind} ${item.title}`;
    const before = names.get(name) ?? 0;
    names.set(name, before + 1);
    return { ...item, value: item.value * SAME_NAME ** before };
  });
}
