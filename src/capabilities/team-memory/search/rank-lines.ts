import { byCodeUnit } from "../../../core/order.ts";
import type { MemoryEntry } from "../store/entry-files.ts";

export interface ScoredLine {
  readonly entry: MemoryEntry;
  /** From 1. */
  readonly number: number;
  readonly score: number;
}
interface MemoryQuery {
  /** Distinct and folded. */
  readonly terms: readonly string[];
  /** All words in order, joined by single spaces. */
  readonly phrase: string;
  /** The query is in double quotes: only lines with the phrase match. */
  readonly isExact: boolean;
}

const MAX_TERMS = 32;
const HEADING_WEIGHT = 1.5;
const PHRASE_WEIGHT = 2;
const BEST = HEADING_WEIGHT * PHRASE_WEIGHT;

/**
 * Ranks lines by the share of terms they hold. A heading weighs 1.5 times, the query as a phrase 2 times, so a phrase
 * always comes first. Equal scores are ordered by file, then line.
 */
export function rankLines(entries: readonly MemoryEntry[], query: string, limit: number): ScoredLine[] {
  const parsed = parseQuery(query);
  if (parsed.terms.length === 0) return [];
  const byScore = new Map<number, ScoredLine[]>();
  for (const entry of entries.toSorted((a, b) => byCodeUnit(a.path, b.path))) {
    const text = fold(entry.text);
    if (!parsed.terms.some((term) => text.includes(term))) continue;
    for (const [index, line] of text.split("\n").entries()) {
      const score = scoreOf(line, parsed);
      if (score === 0) continue;
      const equals = byScore.get(score) ?? [];
      if (equals.length < limit) equals.push({ entry, number: index + 1, score });
      byScore.set(score, equals);
    }
  }
  return [...byScore]
    .sort(([a], [b]) => b - a)
    .flatMap(([, lines]) => lines)
    .slice(0, limit);
}

function parseQuery(text: string): MemoryQuery {
  const quoted = /^"(.*[^\s"].*)"$/s.exec(text.trim())?.[1];
  const words = fold(quoted ?? text)
    .split(/\s+/)
    .filter((word) => word !== "");
  return {
    terms: [...new Set(words)].slice(0, MAX_TERMS),
    phrase: words.join(" "),
    isExact: quoted !== undefined,
  };
}

/** Ignores case and the encoding of accents. The dotted capital I becomes an i, not an i and a dot. */
const fold = (text: string): string => text.normalize("NFC").replaceAll("\u0130", "i").toLowerCase();

/** 0: the line does not match. */
function scoreOf(line: string, { terms, phrase, isExact }: MemoryQuery): number {
  let count = 0;
  for (const term of terms) if (line.includes(term)) count += 1;
  if (count === 0) return 0;
  const isPhrase = count === terms.length && (phrase === terms[0] || line.includes(phrase));
  if (isExact && !isPhrase) return 0;
  const weight = (line.trimStart().startsWith("#") ? HEADING_WEIGHT : 1) * (isPhrase ? PHRASE_WEIGHT : 1);
  return Math.max(0.0001, Math.round((((count / terms.length) * weight) / BEST) * 10_000) / 10_000);
}
