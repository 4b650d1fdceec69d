/**
 * Packs: everything that bears on a task, from all rooms, in one answer within one token budget. Promises: the budget
 * is never exceeded, the same project state gives the same bytes, every quote is cited and checked against the disk,
 * and the receipt tells what was left out. It owns only a ledger of the packs it gave; what it quotes, rooms hand in.
 */
import { join } from "node:path";
import { projectDataDirectory } from "../../core/home.ts";
import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import type { Tool } from "../../core/tool.ts";
import type { PackSource } from "./item.ts";
import { packTools } from "./tools.ts";

export type {
  Change,
  Freshness,
  Gathered,
  Kind,
  PackItem,
  PackRequest,
  PackSource,
  Rendition,
} from "./item.ts";

export function openPacks(
  machine: Machine,
  sources: () => Promise<readonly PackSource[]>,
): { readonly tools: readonly Tool[] } {
  const packs = once(async () => {
    const { openPackDesk } = await import("./desk.ts");
    const ledgers = (root: string) => join(projectDataDirectory(machine.home, root), "packs");
    return openPackDesk({ machine, sources, ledgers });
  });
  return { tools: packTools(packs) };
}
