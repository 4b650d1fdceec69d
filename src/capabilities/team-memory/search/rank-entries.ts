import { once } from "../../../core/lazy.ts";
import type { Machine } from "../../../core/machine.ts";
import { byCodeUnit } from "../../../core/order.ts";
import { isStopWord, type RankableText } from "../../../core/search/index.ts";
import { isProse } from "../entries/decision-file.ts";
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
/** What was chosen, and why, is answered by a decision rather than by a note that uses the same words. */
const ASKS_FOR_CHOICE = /^(?:which|what)\b.*\b(?:use|chose|choose|pick|prefer)\b|\bwhy\b/i;
const NOT_A_CHOICE_FACTOR = 0.9;
const MAX_TEXT = 4000;

export interface SearchedStore {
  readonly project: MemoryProject;
  readonly view: StoreView;
  /** Decisions that no longer hold. */
  readonly past: ReadonlySet<MemoryEntry>;
}

/**
 * Ranks whole entries by a question: title, key, kind and text, by words, synonyms and words of similar meaning. Each entry is
 * shown by the lines that answer best. An entry with the query as a phrase comes first.
 */
export function openEntryRanking(machine: Machine) {
  const ranker = once(async () => {
    const { openEmbeddings, textRanker } = await import("../../../core/search/index.ts");
    return textRanker(await openEmbeddings(await machine.config(), machine).quick());
  });
  return async (query: string, limit: number, searched: SearchedStore): Promise<ScoredLine[]> => {
    const entries = everyEntry(searched.view);
    const phrases = rankLines(entries, query, entries.length).filter(({ score }) => score > PHRASE_SCORE);
    if (/^\s*".+"\s*$/s.test(query) || saysNothing(query)) return phrases.slice(0, limit);
    const rank = await ranker();
    const scores = await rank(query, entries.map(rankable));
    const fading = fadingOf(query, searched);
    const ranked = entries
      .map((entry, at) => {
        const phrase = isSentence(query) ? phrases.find((line) => line.entry === entry)?.score : undefined;
        return { entry, score: rounded(Math.max((scores[at] ?? 0) * fading(entry), phrase ?? 0)) };
      })
      .filter(({ score }) => score >= FLOOR)
      .sort((a, b) => b.score - a.score || newerDecisionFirst(a.entry, b.entry));
    const lines: ScoredLine[] = [];
    // Each has a line, so no more entries are needed than lines.
    for (const { entry, score } of ranked.slice(0, limit))
      for (const number of await bestLines(entry, query)) lines.push({ entry, number, score });
    return lines.slice(0, limit);
  };

  /** By how much an entry loses: it is unused, a decision that no longer holds, or no decision when a choice is asked for. */
  function fadingOf(query: string, { project, view, past }: SearchedStore): (entry: MemoryEntry) => number {
    const reads = readsOf(project);
    const now = machine.now().getTime();
    const asksForChoice = ASKS_FOR_CHOICE.test(query);
    return (entry) => {
      const { kind, path, modifiedMs } = entry;
      const changed = Date.parse(view.metadata.of(path)?.updated_at ?? "") || modifiedMs;
      const isUnused = !reads.has(path) && now - changed > UNUSED_AFTER_MS;
      const isNoChoice = asksForChoice && kind !== "decision";
      return (
        (isUnused ? UNUSED_FACTOR : 1) *
        (past.has(entry) ? PAST_FACTOR : 1) *
        (isNoChoice ? NOT_A_CHOICE_FACTOR : 1)
      );
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

/** For equal scores: by path, but decisions from the newest to the oldest. */
function newerDecisionFirst(a: MemoryEntry, b: MemoryEntry): number {
  const order = byCodeUnit(a.path, b.path);
  return a.kind === "decision" && b.kind === "decision" ? -order : order;
}

/** One word alone is a phrase of every line that has it. */
const isSentence = (query: string): boolean => /\S\s+\S/.test(query.trim());

/** A sentence of words that every text has, such as "what is it for". */
const saysNothing = (query: string): boolean =>
  isSentence(query) && (query.match(/[\p{L}\p{N}]+/gu) ?? []).every((word) => isStopWord(word.toLowerCase()));

const rounded = (score: number): number => Math.round(Math.min(1, score) * 10_000) / 10_000;
