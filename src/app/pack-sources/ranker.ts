import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import type { TextRanker } from "../../core/search/index.ts";

/** A task has many words and a text speaks of a few of them: so much of their weight is a full match. */
const FULL_MATCH = 0.5;

/** Ranks a small set of texts; also by meaning if the quick model is available. Shared by all sources, loaded on first use. */
export type LoadRanker = () => Promise<TextRanker>;

export const loadRanker = (machine: Machine): LoadRanker =>
  once(async () => {
    const { openEmbeddings, textRanker } = await import("../../core/search/index.ts");
    const rank = textRanker(await openEmbeddings(await machine.config(), machine).quick());
    return async (query, texts) => (await rank(query, texts)).map((score) => Math.min(1, score / FULL_MATCH));
  });
