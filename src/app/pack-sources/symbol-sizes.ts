import type { Rendition } from "../../capabilities/packs/index.ts";
import { docStart, headEnd } from "./code-lines.ts";
import { quote, sizes } from "./quote.ts";
import { isProse } from "./text-files.ts";

/** A symbol of fewer lines is told whole or by its name: its head alone would hardly be shorter. */
const WORTH_SHORTENING = 8;

export interface Place {
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
}

/** The sizes at which what stands at a place of a file can be told; `lines` are all of the file's. */
export function symbolSizes(place: Place, lines: readonly string[]): Rendition[] {
  if (lines.length === 0) return [gone(place)];
  return isProse(place.path) ? proseSizes(place, lines) : codeSizes(place, lines);
}

/** The file is not there any more: nothing to quote, but the receipt tells. */
const gone = ({ path, line, endLine }: Place): Rendition => ({
  text: "",
  citation: { path, start: line, end: endLine },
});

const proseSizes = ({ path, line, endLine }: Place, lines: readonly string[]): Rendition[] =>
  sizes(quote(path, lines, line, endLine), quote(path, lines, line, line + 4));

function codeSizes(place: Place, lines: readonly string[]): Rendition[] {
  const { path, line, endLine } = place;
  const first = docStart(lines, line);
  const isLong = endLine - first >= WORTH_SHORTENING;
  return sizes(
    quote(path, lines, first, endLine),
    isLong ? quote(path, lines, first, headEnd(lines, place)) : undefined,
    quote(path, lines, line, line),
  );
}
