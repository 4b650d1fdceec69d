import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import type { TextRanker } from "../../core/search/index.ts";

/** Ranks handfuls of texts, by meaning too where the quick model is at hand. One for all sources, loaded on first use. */
export type LoadRanker = () => Promise<TextRanker>;

export const rankerOf = (machine: Machine): LoadRanker =>
  once(async () => {
    const { openEmbeddings, textRanker } = await import("../../core/search/index.ts");
    return textRanker(await openEmbeddings(await machine.config(), machine).quick());
  });
