import { runGit } from "../../../core/git/git.ts";
import { byCodeUnit } from "../../../core/order.ts";
import type { AnswerPiece } from "../measure/recall.ts";
import { wordsOf } from "./bm25.ts";

const LEAST_LENGTH = 4;
const MOST_WORDS = 12;
const MOST_LINES_OF_A_FILE = 12;
const MOST_FILES = 60;

/**
 * What an agent finds with `git grep` in a directory: lines with words of the task, from the files that have most different
 * words.
 */
export async function grepWords(
  directory: string,
  task: string,
  signal: AbortSignal,
): Promise<AnswerPiece[]> {
  const words = [...new Set(wordsOf(task))]
    .filter((word) => word.length >= LEAST_LENGTH)
    .slice(0, MOST_WORDS);
  if (words.length === 0) return [];
  const patterns = words.flatMap((word) => ["-e", word]);
  const { stdout } = await runGit(["grep", "--no-index", "-z", "-n", "-I", "-i", "-w", "-F", ...patterns], {
    cwd: directory,
    signal,
    timeoutMs: 60_000,
  });
  const files = new Map<string, GrepLine[]>();
  for (const found of stdout.toString("utf8").split("\n").flatMap(parseLine)) {
    const lines = files.get(found.path) ?? [];
    lines.push(found);
    files.set(found.path, lines);
  }
  return [...files]
    .map(([path, lines]) => ({ path, lines, distinct: distinctWords(lines, words) }))
    .sort((a, b) => b.distinct - a.distinct || a.lines.length - b.lines.length || byCodeUnit(a.path, b.path))
    .slice(0, MOST_FILES)
    .flatMap(({ lines }) => lines.slice(0, MOST_LINES_OF_A_FILE).map(pieceOf));
}

interface GrepLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

function parseLine(output: string): GrepLine[] {
  const [path = "", line = "", text = ""] = output.split("\0");
  return Number(line) > 0 ? [{ path, line: Number(line), text: text.slice(0, 300) }] : [];
}

function distinctWords(lines: readonly GrepLine[], words: readonly string[]): number {
  const text = lines.map((line) => line.text.toLowerCase()).join("\n");
  return words.filter((word) => text.includes(word)).length;
}

const pieceOf = ({ path, line, text }: GrepLine): AnswerPiece => ({
  text: `${path}:${line}:${text}`,
  quotes: [{ path, start: line, end: line }],
});
