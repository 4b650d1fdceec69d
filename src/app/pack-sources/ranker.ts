import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import type { TextRanker } from "../../core/search/index.ts";

/** Ranks a small set of texts; also by meaning if the quick model is available. Shared by all sources, loaded on first use. */
export type LoadRanker = () => Promise<TextRanker>;

export const loadRanker = (machine: Machine): LoadRanker =>
  once(async () => {
    const { openEmbeddings, textRanker } = await import("../../core/search/index.ts");
    return textRanker(await openEmbeddings(await machine.config(), machine).quick());
  });
