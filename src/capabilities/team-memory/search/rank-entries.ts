import { once } from "../../../core/lazy.ts";
import type { Machine } from "../../../core/machine.ts";
import { byCodeUnit } from "../../../core/order.ts";
import { isStopWord, type RankableText } from "../../../core/search/index.ts";
import { isProse, parseDecision } from "../entries/decision-file.ts";
import type { MemoryProject } from "../entries/project.ts";
import { everyEntry } from "../entries/text-entries.ts";
import { readsOf } from "../report/reads.ts";
import type { MemoryEntry } from "../store/entry-files.ts";
import type { StoreView } from "../store/store.ts";
import { rankLines, type ScoredLine } from "./rank-lines.ts";

/** Below this, an entry has nothing to do with the question; chosen on the tuning half of `eval/memory`. */
const FLOOR = 0.1;
/** The keyword rule gives more than this only to a line that holds the whole query. */
const PHRASE_SCORE = 0.6;
const LINES_PER_ENTRY = 3;
/** An entry that nobody has read or changed for half a year comes after an equal one that is used. */
const UNUSED_FACTOR = 0.85;
const UNUSED_AFTER_MS = 182 * 86_400_000;
/** A decision that no longer holds comes after one that does. */
const PAST_FACTOR = 0.7;
const MAX_TEXT = 4000;

/**
 * Ranks whole entries by a question: title, key, kind and text, by words, synonyms and words of similar meaning. Each entry is
 * shown by the lines that answer best. An entry with the query as a phrase comes first.
 */
export function openEntryRanking(machine: Machine) {
  const ranker = once(async () => {
    const { openEmbeddings, textRanker } = await import("../../../core/search/index.ts");
    return textRanker(await openEmbeddings(await machine.config(), machine).quick());
  });
  return async (project: MemoryProject, view: StoreView, query: string): Promise<ScoredLine[]> => {
    const entries = everyEntry(view);
    const phrases = rankLines(entries, query, entries.length).filter(({ score }) => score > PHRASE_SCORE);
    if (/^\s*".+"\s*$/s.test(query) || saysNothing(query)) return phrases;
    const rank = await ranker();
    const scores = await rank(query, entries.map(rankable));
    const fading = fadingOf(project, view);
    const found: ScoredLine[] = [];
    for (const [at, entry] of entries.entries()) {
      const phrase = isSentence(query) ? phrases.find((line) => line.entry === entry)?.score : undefined;
      const score = rounded(Math.max((scores[at] ?? 0) * fading(entry), phrase ?? 0));
      if (score < FLOOR) continue;
      for (const number of await bestLines(entry, query)) found.push({ entry, number, score });
    }
    return found.sort((a, b) => b.score - a.score || byCodeUnit(a.entry.path, b.entry.path));
  };

  /** By how much an entry loses: it is unused, or it is a decision that no longer holds. */
  function fadingOf(project: MemoryProject, view: StoreView): (entry: MemoryEntry) => number {
    const reads = readsOf(project);
    const now = machine.now().getTime();
    return ({ kind, path, text, modifiedMs }) => {
      const changed = Date.parse(view.metadata.of(path)?.updated_at ?? "") || modifiedMs;
      const isUnused = !reads.has(path) && now - changed > UNUSED_AFTER_MS;
      const isPast = kind === "decision" && /^(deprecated|superseded)$/.test(parseDecision(text).status);
      return (isUnused ? UNUSED_FACTOR : 1) * (isPast ? PAST_FACTOR : 1);
    };
  }

  /** Line numbers, in the order of the text. */
  async function bestLines({ text }: MemoryEntry, query: string): Promise<number[]> {
    const lines = text.split("\n").map((line, at) => ({ line, number: at + 1 }));
    const shown = lines.filter(({ line }) => isProse(line));
    const rank = await ranker();
    const scores = await rank(
      query,
      shown.map(({ line }) => ({ title: "", text: line })),
    );
    const best = Math.max(0, ...scores);
    const chosen = shown
      .map(({ number }, at) => ({ number, score: scores[at] ?? 0 }))
      .filter(({ score }) => score > 0 && score >= best / 2)
      .sort((a, b) => b.score - a.score || a.number - b.number)
      .slice(0, LINES_PER_ENTRY);
    return chosen.length === 0
      ? [shown[0]?.number ?? 1]
      : chosen.map(({ number }) => number).sort((a, b) => a - b);
  }
}

/** The description of a skill says what it is for, as a title does. */
function rankable({ kind, key, text }: MemoryEntry): RankableText {
  const heading = /^#+ (.*)$/m.exec(text)?.[1] ?? "";
  const description = kind === "skill" ? (DESCRIPTION.exec(text)?.[1] ?? "") : "";
  const name = key.replace(/^\d+-/, "").replaceAll("-", " ");
  const body = text.slice(0, MAX_TEXT).split("\n").filter(isProse).join("\n").replace(DESCRIPTION, "");
  return { title: `${heading} ${name} ${description} ${kind}`, text: body };
}
const DESCRIPTION = /^description: (.*)$/m;

/** One word alone is a phrase of every line that has it. */
const isSentence = (query: string): boolean => /\S\s+\S/.test(query.trim());

/** A sentence of words that every text has, such as "what is it for". */
const saysNothing = (query: string): boolean =>
  isSentence(query) && (query.match(/[\p{L}\p{N}]+/gu) ?? []).every((word) => isStopWord(word.toLowerCase()));

const rounded = (score: number): number => Math.round(Math.min(1, score) * 10_000) / 10_000;
