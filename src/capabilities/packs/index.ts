/**
 * Packs: everything relevant to a task, from all rooms, in one answer within one token budget. Promises: the budget
 * is never exceeded, the same project state gives the same bytes, every quote is cited and checked against the disk,
 * and the receipt lists what was left out. The room owns only a history of the packs it built; other rooms supply the
 * items.
 */
import { join } from "node:path";
import { projectDataDirectory } from "../../core/home.ts";
import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import type { Tool } from "../../core/tool.ts";
import type { OpenPackSources } from "./item.ts";
import { packTools } from "./tools.ts";

export { type FileRole, fileRoleOf } from "./file-role.ts";
export type {
  Freshness,
  Gathered,
  OpenPackSources,
  PackItem,
  PackItemKind,
  PackRequest,
  Rendition,
} from "./item.ts";

export function openPacks(
  machine: Machine,
  loadSources: () => Promise<OpenPackSources>,
): { readonly tools: readonly Tool[] } {
  const packs = once(async () => {
    const { openPackBuilder } = await import("./pack-builder.ts");
    const historyDirectory = (root: string) => join(projectDataDirectory(machine.home, root), "packs");
    return openPackBuilder({ machine, loadSources, historyDirectory });
  });
  return { tools: packTools(packs) };
}
