import type { Rendition } from "../../capabilities/packs/index.ts";
import { docStart } from "./code-lines.ts";
import { excerpt } from "./excerpt.ts";
import { quote, sizes } from "./quote.ts";
import { isProse } from "./text-files.ts";

export interface SymbolLines {
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
}
/** What decides which lines of a long symbol are kept. */
interface LineFocus {
  /** Words of the task, in lower case. */
  readonly words: readonly string[];
  /** The name of the symbol that led here: lines with it matter most. */
  readonly name?: string;
  /** The part of the symbol that the search found: its lines matter more than others. */
  readonly found?: { readonly start: number; readonly end: number };
}

/** Most lines of the two excerpts. */
const LONG_EXCERPT = 30;
const SHORT_EXCERPT = 10;
const NAME_WEIGHT = 4;
const FOUND_FACTOR = 3;

/** The sizes at which a symbol can be given: whole, and excerpts if it is long. `lines` are all lines of its file. */
export function codeSizes(symbol: SymbolLines, lines: readonly string[], focus: LineFocus): Rendition[] {
  if (lines.length === 0) return [missingFile(symbol)];
  const { path, line, endLine } = symbol;
  if (isProse(path)) return sizes(quote(path, lines, line, endLine), quote(path, lines, line, line + 4));
  const options = { ...symbol, lines, weigh: lineWeights(lines.slice(line - 1, endLine), focus) };
  return sizes(
    quote(path, lines, docStart(lines, line), endLine),
    excerpt({ ...options, most: LONG_EXCERPT }),
    excerpt({ ...options, most: SHORT_EXCERPT }),
  );
}

/** The file was deleted: there is nothing to quote, but the receipt names it. */
const missingFile = ({ path, line, endLine }: SymbolLines): Rendition => ({
  text: "",
  citation: { path, start: line, end: endLine },
});

/** A word counts less the more lines of the symbol have it. */
function lineWeights(
  body: readonly string[],
  { words, name, found }: LineFocus,
): (line: string, at: number) => number {
  const lower = body.map((line) => line.toLowerCase());
  const weights = words.flatMap((word) => {
    const count = lower.filter((line) => line.includes(word)).length;
    return count === 0 ? [] : [{ word, weight: 1 / count }];
  });
  return (line, at) => {
    const text = line.toLowerCase();
    const byWords = weights.reduce((sum, { word, weight }) => sum + (text.includes(word) ? weight : 0), 0);
    const isFound = found !== undefined && found.start <= at && at <= found.end;
    return (
      byWords * (isFound ? FOUND_FACTOR : 1) + (name !== undefined && line.includes(name) ? NAME_WEIGHT : 0)
    );
  };
}
