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
import { type Citation, lineNumbersOf, linesLeftOut, type OpenPackSources, type Rendition } from "./item.ts";
import type { PackBuilder } from "./pack-builder.ts";
import { packTools } from "./tools.ts";

export { type FileRole, fileRoleOf, isAboutTests } from "./file-role.ts";
export type {
  Freshness,
  Gathered,
  OpenPackSources,
  PackItem,
  PackItemKind,
  PackRequest,
  Rendition,
} from "./item.ts";

/** The tools, and what app.ts passes to other rooms. */
export interface Packs extends Pick<PackBuilder, "pack"> {
  readonly tools: readonly Tool[];
}

export function openPacks(machine: Machine, loadSources: () => Promise<OpenPackSources>): Packs {
  const packs = once(async () => {
    const { openPackBuilder } = await import("./pack-builder.ts");
    const historyDirectory = (root: string) => join(projectDataDirectory(machine.home, root), "packs");
    // Opened once: what they keep between packs, such as the vectors of words, takes longer to make than a pack.
    return openPackBuilder({ machine, loadSources: once(loadSources), historyDirectory });
  });
  return { tools: packTools(packs), pack: async (request, call) => (await packs()).pack(request, call) };
}

/** The lines that a quote contains: several ranges if lines were left out. */
export function quotedRanges({ path, start, end, text }: Citation & Pick<Rendition, "text">): Citation[] {
  const lines = text.split("\n");
  const numbers = lineNumbersOf({ text, citation: { path, start, end } });
  const ranges: { path: string; start: number; end: number }[] = [];
  for (const [at, number] of numbers.entries()) {
    if (linesLeftOut(lines[at] ?? "") > 0) continue;
    const last = ranges.at(-1);
    if (last?.end === number - 1) last.end = number;
    else ranges.push({ path, start: number, end: number });
  }
  return ranges;
}
