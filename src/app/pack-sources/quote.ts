import type { Rendition } from "../../capabilities/packs/index.ts";

/** Verbatim lines of a text with their line numbers; `undefined` if there is nothing to quote. */
export function quote(
  path: string,
  lines: readonly string[],
  start: number,
  end: number,
): Rendition | undefined {
  const last = lastTextLine(lines, start, Math.min(end, lines.length));
  const quoted = lines.slice(start - 1, last);
  if (quoted.every((line) => line.trim() === "")) return undefined;
  return { text: quoted.join("\n"), citation: { path, start, end: last } };
}

/** The sizes of an item, without those equal to a larger one. */
export function sizes(...renditions: (Rendition | undefined)[]): Rendition[] {
  const given = renditions.filter((rendition) => rendition !== undefined);
  return given.filter((rendition, index) => given.findIndex(({ text }) => text === rendition.text) === index);
}

export interface QuotedSection {
  readonly heading: string;
  /** 1-based. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const LONGEST = 40;

/** Splits a Markdown text at its headings; long sections are cut at blank lines. */
export function sectionsOf(lines: readonly string[]): QuotedSection[] {
  const starts = [1];
  for (const [index, line] of lines.entries()) {
    const isHeading = /^#{1,4} +\S/.test(line);
    const isLong = index + 1 - (starts.at(-1) ?? 1) >= LONGEST && line.trim() === "";
    if (index > 0 && (isHeading || isLong)) starts.push(index + 1);
  }
  return starts.flatMap((start, index) => {
    const end = lastTextLine(lines, start, (starts[index + 1] ?? lines.length + 1) - 1);
    const text = lines.slice(start - 1, end).join("\n");
    const heading = headingOf(lines[start - 1] ?? "");
    return text.replace(/^#.*$/gm, "").trim() === "" ? [] : [{ heading, start, end, text }];
  });
}

/** The text of a heading, with either kind of line end; empty for any other line. */
export const headingOf = (line: string): string => /^#+ +(.*?)\r?$/s.exec(line)?.[1] ?? "";

function lastTextLine(lines: readonly string[], start: number, end: number): number {
  let last = end;
  while (last > start && (lines[last - 1] ?? "").trim() === "") last--;
  return last;
}
