import type { OutlinedSymbol } from "../prepare/chunk.ts";

/** A line this long was written by a program for a program. */
const MAX_LINE = 1_000;
const MAX_CONTENT = 8_000;

/** Lines as they stand in the file; what nobody could read is cut. */
export function shownText(lines: readonly string[]): string {
  const clipped = lines.map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line));
  const text = clipped.join("\n");
  return text.length > MAX_CONTENT ? `${text.slice(0, MAX_CONTENT)}…` : text;
}

/** What a result shows: a chunk's lines with their doc comment; a later part of a long symbol repeats its head. */
export function contentOf(
  lines: readonly string[],
  startLine: number,
  symbol: Pick<OutlinedSymbol, "startLine" | "signature"> | undefined,
): string {
  const text = shownText(lines);
  const isLaterPart = symbol !== undefined && startLine > symbol.startLine;
  return isLaterPart ? `${symbol.signature}\n…\n${text}` : text;
}

export function splitLines(text: string): readonly string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return text.includes("\r") ? lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)) : lines;
}
