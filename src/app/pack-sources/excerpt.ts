import type { Rendition } from "../../capabilities/packs/index.ts";
import { declarationLine, headEnd } from "./code-lines.ts";

interface ExcerptOptions {
  readonly path: string;
  /** All lines of the file. */
  readonly lines: readonly string[];
  /** Where the declaration begins and ends, from 1. */
  readonly line: number;
  readonly endLine: number;
  /** How much a line matters, by its text and number; 0 if it does not. */
  readonly weigh: (line: string, at: number) => number;
  /** Most lines to quote. */
  readonly most: number;
}

/** Gaps that cost less than their marker are quoted. */
const SMALLEST_GAP = 2;
/** Lines before and after a line that matters. */
const AROUND = 1;
const LONGEST_STATEMENT = 8;

/**
 * A long declaration without its less relevant statements: its head, then the statements around the lines that matter with
 * the blocks that contain them. Each gap has a marker, such as `… 34 lines`. `undefined` if there is little to leave out.
 */
export function excerpt({ path, lines, line, endLine, weigh, most }: ExcerptOptions): Rendition | undefined {
  const start = declarationLine(lines, { line, endLine });
  const end = Math.min(endLine, lines.length);
  if (end - start + 1 <= most + SMALLEST_GAP) return undefined;
  const head = range(start, headEnd(lines, { line: start, endLine: end }));
  const kept = new Set(head);
  const body = range((head.at(-1) ?? start) + 1, end);
  for (const at of byWeight(body, (each) => weigh(lines[each - 1] ?? "", each))) {
    if (kept.has(at)) continue;
    const added = [...statementAt(lines, at, body), ...blocksAround(lines, at, body)].filter(
      (each) => !kept.has(each),
    );
    if (kept.size + added.length > most) continue;
    for (const each of added) kept.add(each);
  }
  if (kept.size === head.length) for (const at of body.slice(0, most - head.length)) kept.add(at);
  return { text: withMarkers(lines, kept, { start, end }), citation: { path, start, end } };
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);

/** The lines that matter, the most important first. */
function byWeight(body: readonly number[], weightOf: (line: number) => number): number[] {
  return body
    .map((line) => ({ line, weight: weightOf(line) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.line - b.line)
    .map(({ line }) => line);
}

/** The statement on a line, as far as brackets show it, with a line around it. */
function statementAt(lines: readonly string[], at: number, body: readonly number[]): number[] {
  const last = body.at(-1) ?? at;
  let open = 0;
  let end = at;
  for (; end < Math.min(last, at + LONGEST_STATEMENT); end++) {
    open += bracketBalance(lines[end - 1] ?? "");
    if (open <= 0) break;
  }
  return range(Math.max(body[0] ?? at, at - AROUND), Math.min(last, end + AROUND));
}

const bracketBalance = (line: string): number =>
  (line.match(/[([{]/g)?.length ?? 0) - (line.match(/[)\]}]/g)?.length ?? 0);

/** The first line of every block that contains a line, by indentation. */
function blocksAround(lines: readonly string[], at: number, body: readonly number[]): number[] {
  const found: number[] = [];
  let indent = indentOf(lines[at - 1] ?? "");
  for (let above = at - 1; above >= (body[0] ?? at) && indent > 0; above--) {
    const text = lines[above - 1] ?? "";
    if (text.trim() === "" || indentOf(text) >= indent) continue;
    indent = indentOf(text);
    found.push(above);
  }
  return found;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

function withMarkers(
  lines: readonly string[],
  kept: ReadonlySet<number>,
  { start, end }: { readonly start: number; readonly end: number },
): string {
  const text: string[] = [];
  for (let at = start; at <= end; ) {
    let next = at;
    while (next <= end && !kept.has(next)) next++;
    const gap = next - at;
    if (gap >= SMALLEST_GAP) {
      const [indent = ""] = /^\s*/.exec(lines[at - 1] ?? "") ?? [];
      text.push(`${indent}… ${gap} lines`);
      at = next;
      continue;
    }
    text.push(lines[at - 1] ?? "");
    at++;
  }
  return text.join("\n");
}
