/** From, to (in code units) and kind, as page_highlight answers. */
export type CodeSpan = readonly [number, number, string];
interface CodePiece {
  readonly text: string;
  readonly kind: string;
  readonly isMatch: boolean;
}

/** The lines of a source text in coloured pieces; whole words of the question are marked. */
export function codeLines(text: string, spans: readonly CodeSpan[], words: readonly string[]): CodePiece[][] {
  const matches = matchesOf(text, words);
  const edges = new Set([0, text.length]);
  for (const [from, to] of [...spans, ...matches])
    edges.add(Math.min(from, text.length)).add(Math.min(to, text.length));
  const ordered = [...edges].sort((a, b) => a - b);
  const lines: CodePiece[][] = [[]];
  let span = 0;
  let match = 0;
  for (const [at, from] of ordered.entries()) {
    const to = ordered[at + 1];
    if (to === undefined) break;
    while ((spans[span]?.[1] ?? Number.POSITIVE_INFINITY) <= from) span += 1;
    while ((matches[match]?.[1] ?? Number.POSITIVE_INFINITY) <= from) match += 1;
    const isIn = (range: readonly [number, number, ...unknown[]] | undefined) =>
      range !== undefined && range[0] <= from && to <= range[1];
    const kind = isIn(spans[span]) ? (spans[span]?.[2] ?? "") : "";
    addPieces(lines, text.slice(from, to), { kind, isMatch: isIn(matches[match]) });
  }
  return lines;
}

/** Words that say nothing about a line. */
const COMMON = new Set(
  "a an and are as at be by do does done for from how i if in into is it its me my not of on or our that the this to was we what when where which who why will with you".split(
    " ",
  ),
);

/** Words worth marking. If all of them are common, all are. */
export function wordsOf(query: string): string[] {
  const words = query.match(/[\p{L}\p{N}_$]{2,}/gu) ?? [];
  const rare = words.filter((word) => !COMMON.has(word.toLowerCase()));
  return rare.length > 0 ? rare : words;
}

/** The first line with the most different words of the question. */
export function bestLine(lines: readonly string[], words: readonly string[]): number {
  let best = 0;
  let most = 0;
  for (const [at, line] of lines.entries()) {
    const lower = line.toLowerCase();
    const count = words.filter((word) => lower.includes(word.toLowerCase())).length;
    if (count > most) [best, most] = [at, count];
  }
  return best;
}

function matchesOf(text: string, words: readonly string[]): [number, number][] {
  if (words.length === 0) return [];
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${words.map(escaped).join("|")})(?![\\p{L}\\p{N}])`,
    "giu",
  );
  return [...text.matchAll(pattern)].map(({ index, 0: found }) => [index, index + found.length]);
}

const escaped = (word: string) => word.replaceAll(/[$^.*+?()[\]{}|\\]/g, "\\$&");

function addPieces(lines: CodePiece[][], text: string, about: Omit<CodePiece, "text">): void {
  for (const [at, part] of text.split("\n").entries()) {
    if (at > 0) lines.push([]);
    if (part !== "") lines.at(-1)?.push({ text: part, ...about });
  }
}
