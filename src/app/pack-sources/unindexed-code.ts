import { fileRoleOf, type PackItem, type PackRequest } from "../../capabilities/packs/index.ts";
import { isSource } from "../../core/parse/source-files.ts";
import { type ScannedFile, scanProject } from "../../core/scan/scan.ts";
import { MATCH_LINES, matchTexts, type TextMatch } from "../../core/search/text/text-matches.ts";
import { quote, sizes } from "./quote.ts";
import { isCode, isOwnedElsewhere, isProse, isText, labelOf } from "./text-files.ts";

const MOST_FILES = 12;
/** Shorter words are in most files. */
const MIN_LETTERS = 3;

/** For a project without an index: the lines that have most words of the task close together. */
export async function unindexedCode(
  { root, task }: PackRequest,
  signal: AbortSignal,
): Promise<{ readonly items: PackItem[]; readonly isIndexable: boolean }> {
  const files = await scanProject(root, signal);
  const isIndexable = files.some(({ path }) => path === "go.mod" || isSource(path));
  const ordered = codeFirst(files, ({ path }) => path);
  const found = await matchTexts(root, { query: task, files: ordered, minLetters: MIN_LETTERS }, signal);
  const inText = found.filter(({ isInText }) => isInText);
  const best = codeFirst(inText, ({ file }) => file.path).slice(0, MOST_FILES);
  return { items: best.map((match) => itemOf(match, "not indexed")), isIndexable };
}

/** Files that have changed since they were indexed, if their text or path has words of the task. */
export async function changedCode(
  { root, task }: PackRequest,
  changed: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<PackItem[]> {
  const files = (await scanProject(root, signal)).filter(({ path }) => changed.has(path));
  const ordered = codeFirst(files, ({ path }) => path);
  const found = await matchTexts(root, { query: task, files: ordered, minLetters: MIN_LETTERS }, signal);
  return found.slice(0, MOST_FILES).map((match) => itemOf(match, "changed since indexed"));
}

const itemOf = (
  { file: { path }, lines, at, score }: TextMatch<ScannedFile>,
  freshness: PackItem["freshness"],
): PackItem => ({
  id: `text:${path}`,
  room: "code-index",
  kind: isProse(path) ? "document" : "code",
  role: fileRoleOf(path),
  title: path,
  score,
  why: "has words of the task",
  provenance: "",
  freshness,
  language: labelOf(path),
  sizes: sizes(quote(path, lines(), at + 1, at + MATCH_LINES), quote(path, lines(), at + 1, at + 5)),
});

/** Code goes before prose and settings with the same words. */
function codeFirst<T>(entries: readonly T[], pathOf: (entry: T) => string): T[] {
  const texts = entries.filter((entry) => isText(pathOf(entry)) && !isOwnedElsewhere(pathOf(entry)));
  const code = texts.filter((entry) => isCode(pathOf(entry)));
  return [...code, ...texts.filter((entry) => !isCode(pathOf(entry)))];
}
