import type { PackItem, PackRequest } from "../../capabilities/packs/index.ts";
import { readTextInside } from "../../core/files/read-inside.ts";
import { quotableLines } from "../../core/hygiene/index.ts";
import { byCodeUnit } from "../../core/order.ts";
import { languageOf } from "../../core/parse/languages.ts";
import { type ScannedFile, scanProject } from "../../core/scan/scan.ts";
import { parseQuery } from "../../core/search/query.ts";
import { quote, sizes } from "./quote.ts";
import { isCode, isOwnedElsewhere, isProse, isText } from "./text-files.ts";

const LARGEST_FILE = 128 * 1024;
/** Bounds by bytes, not by time: the same project must give the same answer on a slow machine. */
const MOST_BYTES = 12 * 1024 * 1024;
const MOST_FILES = 12;
const WINDOW = 30;

/** For a project that was never indexed: the lines where most of the task's words stand close together. */
export async function unindexedCode(
  { root, task }: PackRequest,
  signal: AbortSignal,
): Promise<{ readonly items: PackItem[]; readonly isIndexable: boolean }> {
  const files = await scanProject(root, signal);
  const isIndexable = files.some(({ path }) => path === "go.mod" || languageOf(path) !== undefined);
  return { items: await itemsOf(root, task, codeFirst(files)), isIndexable };
}

async function itemsOf(root: string, task: string, files: readonly ScannedFile[]): Promise<PackItem[]> {
  const words = parseQuery(task)
    .groups.flatMap(({ variants }) => variants.at(-1)?.term ?? [])
    .filter((word) => word.length > 2);
  if (words.length === 0) return [];
  const found: { path: string; lines: readonly string[]; at: number; score: number }[] = [];
  let bytes = 0;
  for (const { path, size } of files) {
    if (size > LARGEST_FILE || bytes + size > MOST_BYTES) continue;
    bytes += size;
    const text = (await readTextInside(root, path, LARGEST_FILE)) ?? "";
    const lower = text.toLowerCase();
    const present = words.filter((word) => lower.includes(word));
    if (present.length === 0) continue;
    const lines = quotableLines(text);
    const named = words.filter((word) => path.toLowerCase().includes(word)).length;
    const best = densest(lower.split("\n"), present);
    found.push({
      path,
      lines,
      at: best.at,
      score: (best.count + 0.5 * named + 0.25 * present.length) / (words.length * 1.75),
    });
  }
  found.sort((a, b) => b.score - a.score || byCodeUnit(a.path, b.path));
  return codeFirst(found)
    .slice(0, MOST_FILES)
    .map(({ path, lines, at, score }) => ({
      id: `text:${path}`,
      room: "code-index",
      kind: isProse(path) ? "document" : "code",
      title: path,
      score: Math.min(1, score),
      why: "has words of the task",
      provenance: "",
      freshness: "not indexed",
      language: path.split(".").at(-1) ?? "text",
      sizes: sizes(quote(path, lines, at + 1, at + WINDOW), quote(path, lines, at + 1, at + 5)),
    }));
}

/** Prose and settings may not take the place of code that has the same words; where there is no code they are all there is. */
function codeFirst<T extends { readonly path: string }>(files: readonly T[]): T[] {
  const texts = files.filter(({ path }) => isText(path) && !isOwnedElsewhere(path));
  return [...texts.filter(({ path }) => isCode(path)), ...texts.filter(({ path }) => !isCode(path))];
}

/** The window with most different words in it; the first of equals. */
function densest(lines: readonly string[], words: readonly string[]): { at: number; count: number } {
  const places = words.map((word) => lines.flatMap((line, index) => (line.includes(word) ? [index] : [])));
  const starts = [...new Set(places.flat())].sort((a, b) => a - b);
  let best = { at: 0, count: 0 };
  for (const start of starts.slice(0, 400)) {
    const count = places.filter((lineNumbers) =>
      lineNumbers.some((line) => line >= start && line < start + WINDOW),
    ).length;
    if (count > best.count) best = { at: Math.max(0, start - 2), count };
  }
  return best;
}
