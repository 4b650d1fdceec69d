import { once } from "../../../core/lazy.ts";
import type { Machine } from "../../../core/machine.ts";
import { everyEntry } from "../entries/text-entries.ts";
import type { MemoryEntry } from "../store/entry-files.ts";
import type { StoreView } from "../store/store.ts";
import type { ScoredLine } from "./rank-lines.ts";

/** Cosine similarities of the quick model: below the first, texts are unrelated; at the second, they say the same. */
const UNRELATED = 0.12;
const SAME = 0.6;
/** Below the score of a phrase, so that literal matches stay first. */
const MAX_SCORE = 0.6;
const MAX_TEXT = 2000;

/** Finds entries that say the same as the query in other words. Each result is the first text line of its entry. */
export function openMeaning(machine: Machine) {
  const vectors = new WeakMap<MemoryEntry, Float32Array>();
  const model = once(async () => {
    const { openEmbeddings } = await import("../../../core/search/index.ts");
    return openEmbeddings(await machine.config(), machine).quick();
  });
  return {
    /** Empty if embeddings are disabled or the model cannot be loaded. */
    async entries(view: StoreView, query: string): Promise<ScoredLine[]> {
      const quick = await model();
      if (quick === undefined || query.trim() === "") return [];
      const entries = everyEntry(view);
      const missing = entries.filter((entry) => !vectors.has(entry));
      const made = await quick.embed([query, ...missing.map(({ text }) => text.slice(0, MAX_TEXT))]);
      for (const [index, entry] of missing.entries()) vectors.set(entry, unit(made[index + 1]));
      const asked = unit(made[0]);
      return entries.flatMap((entry) => {
        const nearness = (dot(asked, vectors.get(entry)) - UNRELATED) / (SAME - UNRELATED);
        if (nearness <= 0) return [];
        const score = Math.max(0.0001, Math.round(Math.min(1, nearness) * MAX_SCORE * 10_000) / 10_000);
        return [{ entry, number: firstLine(entry.text), score }];
      });
    },
  };
}

function firstLine(text: string): number {
  const lines = text.split("\n");
  const isText = (line: string) => line.trim() !== "" && !line.startsWith("---") && !/^[a-z-]+: /.test(line);
  return Math.max(1, lines.findIndex(isText) + 1);
}

function unit(vector: Float32Array | undefined): Float32Array {
  if (vector === undefined) return new Float32Array();
  const length = Math.sqrt(dot(vector, vector));
  return length === 0 ? vector : vector.map((value) => value / length);
}

function dot(a: Float32Array, b: Float32Array | undefined): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b?.[index] ?? 0);
  return sum;
}
