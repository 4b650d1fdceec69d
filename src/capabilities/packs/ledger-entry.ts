import { z } from "zod";
import { sha256 } from "../../core/hash.ts";
import { byCodeUnit } from "../../core/order.ts";
import type { Gathered, PackRoom } from "./item.ts";
import type { Pack } from "./pack.ts";
import { PackInput, type VerifyOutput } from "./tools.ts";

/** What is remembered of a pack: what was asked and what was given, never the text itself. */
export const LedgerEntry = z.object({
  pack_id: z.string(),
  /** Without the project's path: every project has a ledger of its own. */
  request: PackInput.omit({ path: true }),
  states: z.record(z.string(), z.string()),
  /** Item id → hash of the text that was given. */
  items: z.record(z.string(), z.string()),
  text_sha256: z.string(),
});
export type LedgerEntry = z.infer<typeof LedgerEntry>;

export function entryOf(
  packId: string,
  { task, budget, rooms, diff, except }: LedgerEntry["request"],
  { pack, gathered }: { readonly pack: Pack; readonly gathered: ReadonlyMap<PackRoom, Gathered> },
): LedgerEntry {
  return {
    pack_id: packId,
    request: { task, budget, rooms, diff, except },
    states: Object.fromEntries([...gathered].map(([room, { state }]) => [room, state])),
    items: Object.fromEntries(
      pack.items.map(({ item, size }) => [item.id, sha256(item.sizes[size]?.text ?? "")]),
    ),
    text_sha256: sha256(pack.text),
  };
}

/** What changed between a pack as it was given and as it would be given now. */
export function compare(before: LedgerEntry, now: LedgerEntry): z.output<typeof VerifyOutput> {
  const keysOf = (field: "items" | "states") =>
    [...new Set([...Object.keys(before[field]), ...Object.keys(now[field])])].sort(byCodeUnit);
  const ids = keysOf("items");
  return {
    pack_id: before.pack_id,
    same: before.text_sha256 === now.text_sha256,
    pack_id_now: now.pack_id,
    rooms_changed: keysOf("states").filter((room) => before.states[room] !== now.states[room]),
    added: ids.filter((id) => before.items[id] === undefined),
    removed: ids.filter((id) => now.items[id] === undefined),
    changed: ids.filter((id) => {
      const [old, current] = [before.items[id], now.items[id]];
      return old !== undefined && current !== undefined && old !== current;
    }),
  };
}
