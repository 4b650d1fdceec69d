import type { DirectoryContexts, DirectorySummary } from "../../capabilities/directory-contexts/index.ts";
import type { Freshness, Gathered, PackItem } from "../../capabilities/packs/index.ts";
import { readTextInside } from "../../core/files/read-inside.ts";
import { sha256 } from "../../core/hash.ts";
import { quotableLines } from "../../core/hygiene/index.ts";
import type { PackTask } from "./pack-task.ts";
import { quote, sizes } from "./quote.ts";

/** The best code shows which directories the task is about. */
const MOST_FILES = 14;

/** `TypeScript code.` says nothing. */
const LEAST_WORDS = 4;

const NONE = { reason: "no .context.yaml on the way", command: "contextful directories init" };

/** Summaries of the directories that lead to the files of the task. */
export async function gatherDirectories(
  directories: DirectoryContexts,
  { request, findCode, ranker, signal }: PackTask,
): Promise<Gathered> {
  const code = (await findCode()).items.slice(0, MOST_FILES);
  const files = [
    ...code.flatMap(({ sizes: [whole] }) => whole?.citation.path ?? []),
    ...request.changes.map(({ path }) => path),
  ];
  const found = await directories.summariesAbove(files, { path: request.root, signal });
  if (found.length === 0) return { items: [], state: "", empty: NONE };
  const summaries = found.filter(({ summary }) => isTelling(summary));
  const rank = await ranker();
  const scores = await rank(
    request.task,
    summaries.map(({ scope, summary }) => ({ title: scope, text: summary })),
  );
  const read = await Promise.all(
    summaries.map((summary, index) => itemOf(request.root, summary, scores[index] ?? 0)),
  );
  const items = read.filter((item) => item !== undefined);
  return { items, state: sha256(JSON.stringify(items)) };
}

/** A summary that only lists the names in its directory says nothing that the directory does not. */
export function isTelling(summary: string): boolean {
  const [, listed = ""] =
    /^[^:.]*\b(?:code|documentation|sheets|files|tests|data|configuration)[^:.]*:(.*)/is.exec(summary) ?? [];
  const names = listed.split(/,| and /).filter((name) => name.trim() !== "");
  const isList = names.length > 0 && names.every((name) => name.trim().split(/\s+/).length <= 3);
  return !isList && summary.trim().split(/\s+/).length >= LEAST_WORDS;
}

async function itemOf(
  root: string,
  { scope, state, contentChanged }: DirectorySummary,
  score: number,
): Promise<PackItem | undefined> {
  const path = scope === "." ? ".context.yaml" : `${scope}/.context.yaml`;
  const lines = quotableLines((await readTextInside(root, path)) ?? "");
  const key = lines.findIndex((line) => line.startsWith("summary:")) + 1;
  if (key === 0) return undefined;
  // The text of a block is on the lines after its key.
  const start = /^summary:\s*[|>]/.test(lines[key - 1] ?? "") ? key + 1 : key;
  // A folded text goes on until the next key.
  const next = lines.findIndex((line, index) => index >= start && /^\S/.test(line));
  const rendition = quote(path, lines, start, next === -1 ? lines.length : next);
  const freshness: Freshness = state === "fresh" || contentChanged === false ? "fresh" : "suspect";
  if (rendition === undefined) return undefined;
  return {
    id: `directory:${scope}`,
    room: "directory-contexts",
    kind: "directory",
    title: scope === "." ? "the project" : scope,
    score: Math.min(1, 0.25 + 0.75 * score),
    why: "on the way to the code",
    provenance: "directory context",
    freshness,
    language: "yaml",
    sizes: sizes(rendition),
  };
}
