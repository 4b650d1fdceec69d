import { byCodeUnit } from "../../../core/order.ts";
import type { Entry } from "../store/catalogue.ts";
import type { LineIndex } from "./line-index.ts";

export interface Scored {
  readonly entry: Entry;
  /** From 1. */
  readonly number: number;
  readonly score: number;
}

const HEADING = 1.5;
const PHRASE = 2;
const BEST = HEADING * PHRASE;

/**
 * Share of terms found; half again for a heading, twice for the query as a phrase, which so always comes first.
 * Equal scores stand in the order of file and line.
 */
export function rankLines(index: LineIndex, terms: readonly string[], limit: number): Scored[] {
  const { ids, masks } = index.count(terms);
  const phrase = terms.join(" ");
  /** Lines of one count, heading or not, phrase or not, have one score. */
  const classes: number[][] = [];
  for (const id of ids) {
    const count = bitsIn(masks[id] ?? 0);
    const isPhrase = count === terms.length && (count === 1 || index.hasPhrase(id, phrase));
    const place = count * 4 + (index.isHeading(id) ? 2 : 0) + (isPhrase ? 1 : 0);
    const lines = classes[place];
    if (lines === undefined) classes[place] = [id];
    else lines.push(id);
  }
  const ranked: Scored[] = [];
  for (const { score, lines } of byScore(classes, terms.length)) {
    for (const id of first(index, lines, limit - ranked.length)) {
      const line = index.line(id);
      if (line !== undefined) ranked.push({ ...line, score });
    }
    if (ranked.length >= limit) break;
  }
  return ranked;
}

function bitsIn(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** The best first; classes that happen to score the same are one. */
function byScore(classes: readonly (readonly number[] | undefined)[], terms: number) {
  const scores = new Map<number, number[]>();
  for (const [place, lines] of classes.entries()) {
    if (lines === undefined) continue;
    const score = scoreOf(Math.floor(place / 4) / terms, (place & 2) !== 0, (place & 1) !== 0);
    scores.set(score, (scores.get(score) ?? []).concat(lines));
  }
  return [...scores].map(([score, lines]) => ({ score, lines })).sort((a, b) => b.score - a.score);
}

/** Lines found by their words, and entries found by meaning where no line of them was. */
export function joined(lines: readonly Scored[], entries: readonly Scored[], limit: number): Scored[] {
  const found = new Set(lines.map(({ entry }) => entry));
  return [...lines, ...entries.filter(({ entry }) => !found.has(entry))]
    .sort((a, b) => b.score - a.score || byCodeUnit(a.entry.path, b.entry.path) || a.number - b.number)
    .slice(0, limit);
}

function scoreOf(share: number, isHeading: boolean, isPhrase: boolean): number {
  const weight = (isHeading ? HEADING : 1) * (isPhrase ? PHRASE : 1);
  return Math.max(0.0001, Math.round(((share * weight) / BEST) * 10_000) / 10_000);
}

/** The `most` lines that stand first, without sorting all. */
function first(index: LineIndex, ids: readonly number[], most: number): number[] {
  let kept: { id: number; place: number }[] = [];
  let bar = Number.POSITIVE_INFINITY;
  const trim = () => {
    kept.sort((a, b) => a.place - b.place);
    kept = kept.slice(0, most);
    if (kept.length === most) bar = kept.at(-1)?.place ?? bar;
  };
  for (const id of ids) {
    const place = index.placeOf(id);
    if (place >= bar) continue;
    kept.push({ id, place });
    if (kept.length >= 4 * most) trim();
  }
  trim();
  return kept.map(({ id }) => id);
}
