import type { Rendition } from "../../capabilities/packs/index.ts";
import { headingOf, type QuotedSection, quote } from "./quote.ts";

/** Most lines of a brief quote. */
const MOST_LINES = 8;

/** The paragraph of a section that has most words of the task; `undefined` if none has any. A heading alone says nothing. */
export function documentBrief(
  path: string,
  lines: readonly string[],
  { start, end }: Pick<QuotedSection, "start" | "end">,
  words: readonly string[],
): Rendition | undefined {
  let best = { known: 0, from: 0, to: 0 };
  for (let from = start; from <= end; ) {
    if ((lines[from - 1] ?? "").trim() === "") {
      from++;
      continue;
    }
    const to = paragraphEnd(lines, from, end);
    const text = lines
      .slice(from - 1, to)
      .join("\n")
      .toLowerCase();
    const known = isHeading(lines.slice(from - 1, to))
      ? 0
      : words.filter((word) => text.includes(word)).length;
    if (known > best.known) best = { known, from, to };
    from = to + 1;
  }
  return best.known === 0 ? undefined : quote(path, lines, best.from, best.to);
}

/** Also one that is underlined, as in reStructuredText. */
const isHeading = ([first = "", second = "", ...more]: readonly string[]): boolean =>
  more.length === 0 &&
  (second === "" ? headingOf(first) !== "" : /^([=\-~^"'`*+#.:_])\1{2,}\s*$/.test(second));

function paragraphEnd(lines: readonly string[], from: number, end: number): number {
  let at = from;
  while (at < end && at - from + 1 < MOST_LINES && (lines[at] ?? "").trim() !== "") at++;
  return at;
}
