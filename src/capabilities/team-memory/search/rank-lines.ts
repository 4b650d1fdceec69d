import { byCodeUnit } from "../../../core/order.ts";
import type { Entry } from "../store/entry-files.ts";
import type { LineIndex } from "./line-index.ts";
import type { Query } from "./query.ts";

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
export function rankLines(index: LineIndex, query: Query, limit: number): Scored[] {
  const ranked: Scored[] = [];
  for (const { score, lines } of byScore(classesOf(index, query, limit), query)) {
    for (const id of lines) {
      const line = index.line(id);
      if (line !== undefined) ranked.push({ ...line, score });
    }
    if (ranked.length >= limit) break;
  }
  return ranked.slice(0, limit);
}

interface Placed {
  readonly id: number;
  /** The smaller stands first in a list of equals. */
  readonly place: number;
}

/** Lines of one count, heading or not, phrase or not, have one score; of each such class the first are enough. */
function classesOf(index: LineIndex, { terms, phrase }: Query, limit: number): Placed[][] {
  const masks = index.masks(terms);
  const classes: Placed[][] = Array.from({ length: (terms.length + 1) * 4 }, () => []);
  let place = 0;
  for (const [from, to] of index.runs()) {
    for (let id = from; id < to; id += 1) {
      const count = bitsIn(masks[id] ?? 0);
      if (count === 0) continue;
      const isPhrase = count === terms.length && (phrase === terms[0] || index.hasPhrase(id, phrase));
      const lines = classes[count * 4 + (index.isHeading(id) ? 2 : 0) + (isPhrase ? 1 : 0)];
      if (lines !== undefined && lines.length < limit) lines.push({ id, place: place++ });
    }
  }
  return classes;
}

function bitsIn(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** The best first; classes that happen to score the same are one. */
function byScore(classes: readonly (readonly Placed[])[], { terms, isExact }: Query) {
  const scores = new Map<number, Placed[]>();
  for (const [place, lines] of classes.entries()) {
    const [isHeading, isPhrase] = [(place & 2) !== 0, (place & 1) !== 0];
    if (lines.length === 0 || (isExact && !isPhrase)) continue;
    const score = scoreOf(Math.floor(place / 4) / terms.length, isHeading, isPhrase);
    scores.set(score, (scores.get(score) ?? []).concat(lines));
  }
  return [...scores]
    .map(([score, lines]) => ({ score, lines: lines.sort((a, b) => a.place - b.place).map(({ id }) => id) }))
    .sort((a, b) => b.score - a.score);
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
