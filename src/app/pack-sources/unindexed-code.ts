import type { PackItem, PackRequest } from "../../capabilities/packs/index.ts";
import { readTextInside } from "../../core/files/read-inside.ts";
import { quotableLines } from "../../core/hygiene/index.ts";
import { byCodeUnit } from "../../core/order.ts";
import { isSource } from "../../core/parse/source-files.ts";
import { type ScannedFile, scanProject } from "../../core/scan/scan.ts";
import { parseQuery } from "../../core/search/text/query.ts";
import { quote, sizes } from "./quote.ts";
import { isCode, isOwnedElsewhere, isProse, isText, labelOf } from "./text-files.ts";

const LARGEST_FILE = 128 * 1024;
/** A limit in bytes, not in time: a slow machine must give the same answer. */
const MOST_BYTES = 12 * 1024 * 1024;
const MOST_FILES = 12;
const WINDOW = 30;

/** For a project without an index: the lines that have most words of the task close together. */
export async function unindexedCode(
  { root, task }: PackRequest,
  signal: AbortSignal,
): Promise<{ readonly items: PackItem[]; readonly isIndexable: boolean }> {
  const files = await scanProject(root, signal);
  const isIndexable = files.some(({ path }) => path === "go.mod" || isSource(path));
  const wordsOfTask = parseQuery(task).groups.flatMap(({ variants }) => variants.at(-1)?.term ?? []);
  const words = wordsOfTask.filter((word) => word.length > 2);
  const found = words.length === 0 ? [] : await find(root, { files: codeFirst(files), words }, signal);
  return { items: codeFirst(found).slice(0, MOST_FILES).map(itemOf), isIndexable };
}

interface MatchingFile {
  readonly path: string;
  readonly lines: readonly string[];
  /** The line before the first one to quote. */
  readonly at: number;
  readonly score: number;
}

/** The files that have words of the task, best first. */
async function find(
  root: string,
  { files, words }: { readonly files: readonly ScannedFile[]; readonly words: readonly string[] },
  signal: AbortSignal,
): Promise<MatchingFile[]> {
  const found: MatchingFile[] = [];
  let bytes = 0;
  for (const { path, size } of files) {
    if (size > LARGEST_FILE || bytes + size > MOST_BYTES) continue;
    signal.throwIfAborted();
    bytes += size;
    const text = (await readTextInside(root, path, LARGEST_FILE)) ?? "";
    const lower = text.toLowerCase();
    const present = words.filter((word) => lower.includes(word));
    if (present.length === 0) continue;
    const named = words.filter((word) => path.toLowerCase().includes(word)).length;
    const best = densest(lower.split("\n"), present);
    const score = (best.count + 0.5 * named + 0.25 * present.length) / (words.length * 1.75);
    found.push({ path, lines: quotableLines(text), at: best.at, score });
  }
  return found.sort((a, b) => b.score - a.score || byCodeUnit(a.path, b.path));
}

const itemOf = ({ path, lines, at, score }: MatchingFile): PackItem => ({
  id: `text:${path}`,
  room: "code-index",
  kind: isProse(path) ? "document" : "code",
  title: path,
  score: Math.min(1, score),
  why: "has words of the task",
  provenance: "",
  freshness: "not indexed",
  language: labelOf(path),
  sizes: sizes(quote(path, lines, at + 1, at + WINDOW), quote(path, lines, at + 1, at + 5)),
});

/** Code goes before prose and settings with the same words. */
function codeFirst<T extends { readonly path: string }>(files: readonly T[]): T[] {
  const texts = files.filter(({ path }) => isText(path) && !isOwnedElsewhere(path));
  return [...texts.filter(({ path }) => isCode(path)), ...texts.filter(({ path }) => !isCode(path))];
}

/** The window with the most different words; the first one on a tie. */
function densest(lines: readonly string[], words: readonly string[]): { at: number; count: number } {
  const places = words.map((word) => lines.flatMap((line, index) => (line.includes(word) ? [index] : [])));
  const starts = [...new Set(places.flat())].sort((a, b) => a - b);
  let best = { at: 0, count: 0 };
  for (const start of starts.slice(0, 400)) {
    const count = places.filter((lineNumbers) => {
      const next = lineNumbers.find((line) => line >= start);
      return next !== undefined && next < start + WINDOW;
    }).length;
    if (count > best.count) best = { at: Math.max(0, start - 2), count };
  }
  return best;
}
