import { readTextInside } from "../../files/read-inside.ts";
import { quotableLines } from "../../hygiene/index.ts";
import { byCodeUnit } from "../../order.ts";
import { parseQuery } from "./query.ts";

interface TextFile {
  /** Relative to the root. */
  readonly path: string;
  readonly size: number;
}
export interface TextMatch<F extends TextFile> {
  readonly file: F;
  /** Without secrets and invisible characters; to remove them takes time, so only for what is shown. */
  readonly lines: () => readonly string[];
  /** Index of the first of the `MATCH_LINES` lines with the most words. */
  readonly at: number;
  /** In [0, 1]. */
  readonly score: number;
  /** False if only the path has words of the query. */
  readonly isInText: boolean;
}

export const MATCH_LINES = 30;
const LINES_BEFORE = 2;
const MAX_FILE_BYTES = 512 * 1024;
/** Limits in bytes, not in time: the same files give the same answer on a slow machine. */
const MAX_BYTES = 12 * 1024 * 1024;
/** A common word is in thousands of lines; the best place is usually among the first. */
const MAX_STARTS = 400;

/** Finds files by their text and names, without an index; best first. If the limit is reached, the last files are not read. */
export async function matchTexts<F extends TextFile>(
  root: string,
  {
    query,
    files,
    minLetters,
  }: { readonly query: string; readonly files: readonly F[]; readonly minLetters: number },
  signal: AbortSignal,
): Promise<TextMatch<F>[]> {
  const terms = parseQuery(query).groups.flatMap(({ variants }) => variants.at(-1)?.term ?? []);
  const words = terms.filter((word) => word.length >= minLetters);
  if (words.length === 0) return [];
  const matches: TextMatch<F>[] = [];
  let bytes = 0;
  for (const file of files) {
    if (file.size > MAX_FILE_BYTES || bytes + file.size > MAX_BYTES) continue;
    signal.throwIfAborted();
    bytes += file.size;
    const text = (await readTextInside(root, file.path, MAX_FILE_BYTES)) ?? "";
    matches.push(...matchOf(file, text, words));
  }
  return matches.sort((a, b) => b.score - a.score || byCodeUnit(a.file.path, b.file.path));
}

function matchOf<F extends TextFile>(file: F, text: string, words: readonly string[]): TextMatch<F>[] {
  const lower = text.toLowerCase();
  const present = words.filter((word) => lower.includes(word));
  const named = words.filter((word) => file.path.toLowerCase().includes(word)).length;
  if (present.length === 0 && named === 0) return [];
  const { at, count } = densestLines(lower.split("\n"), present);
  const score = (count + 0.5 * named + 0.25 * present.length) / (words.length * 1.75);
  const isInText = present.length > 0;
  return [{ file, lines: () => quotableLines(text), at, score: Math.min(1, score), isInText }];
}

/** The place with the most different words; the first one on a tie. */
function densestLines(
  lines: readonly string[],
  words: readonly string[],
): { readonly at: number; readonly count: number } {
  const places = words.map((word) => lines.flatMap((line, index) => (line.includes(word) ? [index] : [])));
  const starts = [...new Set(places.flat())].sort((a, b) => a - b);
  let best = { at: 0, count: 0 };
  for (const start of starts.slice(0, MAX_STARTS)) {
    const count = places.filter((lineNumbers) => {
      const next = lineNumbers.find((line) => line >= start);
      return next !== undefined && next < start + MATCH_LINES;
    }).length;
    if (count > best.count) best = { at: Math.max(0, start - LINES_BEFORE), count };
  }
  return best;
}
