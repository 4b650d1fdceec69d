import { kindsOf, type PathKind } from "../../../core/files/path-kinds.ts";
import { askGit, type GitOptions, runGit } from "../../../core/git/git.ts";
import { type FileHunk, parsePatch } from "../../../core/git/patch.ts";
import { cleanText } from "../../../core/hygiene/index.ts";
import { languageOf } from "../../../core/parse/source-files.ts";
import { taskOf } from "./task-text.ts";

/** A run of lines of the parent's version that a commit changed; `start` to `start + 1` if lines were only added. */
export interface ChangedRange {
  readonly start: number;
  readonly end: number;
}
export interface MinedCommit {
  readonly id: string;
  readonly parent: string;
  /** What the commit set out to do, in its own words. */
  readonly message: string;
  /** The source files it changed, by their path in the parent. */
  readonly files: ReadonlyMap<string, readonly ChangedRange[]>;
}

/** How many commits are looked at for each one that is wanted. */
const SEARCHED = 40;
const MOST_FILES = 20;
const MOST_SOURCE_FILES = 8;
const MOST_CHANGED_LINES = 400;
/** A task in fewer words says too little. */
const LEAST_WORDS = 4;
const NOT_A_TASK =
  /^(?:revert|merge|bump|release|prepare (?:for )?(?:release|next|v?\d)|v?\d+\.\d+|version|(?:run |apply )?(?:format|prettier|black|ruff|gofmt|rustfmt|lint|clang-format)|style|reformat|whitespace|typos?\b|fix typos?|rename|move|(?:chore|build|ci)\b.*(?:deps|dependenc|release|version|bump)|update (?:dependenc|deps|changelog|readme|version|copyright)|\[?(?:pre-commit|bot|automated))/i;
const NOT_SOURCE: ReadonlySet<PathKind> = new Set(["test", "example", "bench", "docs"]);

interface MinedHistory {
  /** Newest first. */
  readonly commits: readonly MinedCommit[];
  /** How many commits that may be tasks cannot be read, because git lacks an object. */
  readonly unreadable: number;
}

/** The newest commits that are tasks: they change some source, not much, and say why. */
export async function mineCommits(cwd: string, count: number, signal: AbortSignal): Promise<MinedHistory> {
  const git = { cwd, signal, timeoutMs: 120_000 };
  const commits: MinedCommit[] = [];
  const { texts, isCut } = await readLog(count * SEARCHED, git);
  let unreadable = isCut ? 1 : 0;
  for (const entry of texts.flatMap(parseEntry)) {
    if (!isTask(entry)) continue;
    const patch = await readPatch(entry, git);
    if (patch === undefined) {
      unreadable++;
      continue;
    }
    const files = rangesByFile(patch, new Set(entry.files.map(({ oldPath }) => oldPath)));
    const changed = [...files.values()].flat().reduce((sum, { start, end }) => sum + end - start + 1, 0);
    if (files.size === 0 || changed > MOST_CHANGED_LINES) continue;
    // Reports are files that people open and pass on, and answers alone are cleaned later.
    commits.push({ id: entry.id, parent: entry.parent, message: cleanText(entry.message), files });
    if (commits.length >= count) break;
  }
  return { commits, unreadable };
}

/**
 * The log, one text for each commit. Renames are found by content: if git lacks a blob for that, they are not looked for. At
 * a missing tree the log ends.
 */
async function readLog(most: number, git: GitOptions): Promise<{ texts: string[]; isCut: boolean }> {
  const args = [
    "log",
    "--no-merges",
    `--max-count=${most}`,
    "--raw",
    "-z",
    "--no-abbrev",
    LOG_FORMAT,
    "HEAD",
  ];
  const whole = await askGit([...args, "-M"], git);
  const listed = whole === undefined ? await runGit([...args, "--no-renames"], git) : undefined;
  const log = whole ?? listed?.stdout.toString("utf8") ?? "";
  return { texts: log.split("\x01").slice(1), isCut: listed !== undefined && listed.code !== 0 };
}

const LOG_FORMAT = "--format=%x01%H%x02%P%x02%B%x02";

const readPatch = ({ id, parent, files }: LogEntry, git: GitOptions): Promise<string | undefined> =>
  askGit(
    [
      "diff-tree",
      "-r",
      "-M",
      "-w",
      "-U0",
      "--no-ext-diff",
      "--no-textconv",
      "--no-color",
      "-p",
      parent,
      id,
      "--",
      ...new Set(files.flatMap(({ oldPath, path }) => [oldPath, path])),
    ],
    { ...git, env: { GIT_LITERAL_PATHSPECS: "1" } },
  );

interface LogEntry {
  readonly id: string;
  readonly parent: string;
  readonly message: string;
  readonly fileCount: number;
  readonly renames: number;
  /** Source files that exist in the parent. */
  readonly files: readonly { readonly oldPath: string; readonly path: string }[];
}

const isHash = (text: string) => /^[0-9a-f]{40,64}$/.test(text);

function parseEntry(text: string): LogEntry[] {
  const [id = "", parents = "", message = "", raw = ""] = text.split("\x02");
  const [parent = "", ...others] = parents.split(" ");
  // A message may hold our separators, and what follows them is then its author's choice: nothing but a hash goes to git.
  if (!isHash(id) || !isHash(parent) || others.length > 0) return [];
  const fields = raw.split("\0").map((field) => field.trim());
  const files: { oldPath: string; path: string }[] = [];
  let fileCount = 0;
  let renames = 0;
  for (let at = 0; at < fields.length; at++) {
    const status = /^:\S+ \S+ \S+ \S+ ([A-Z])/.exec(fields[at] ?? "")?.[1];
    if (status === undefined) continue;
    fileCount++;
    const oldPath = fields[++at] ?? "";
    const isRename = status === "R" || status === "C";
    if (isRename) renames++;
    const path = isRename ? (fields[++at] ?? "") : oldPath;
    if ("MR".includes(status) && isSource(oldPath)) files.push({ oldPath, path });
  }
  return [{ id, parent, message, fileCount, renames, files }];
}

const isSource = (path: string) =>
  languageOf(path) !== undefined && !kindsOf(path).some((kind) => NOT_SOURCE.has(kind));

function isTask({ message, fileCount, renames, files }: LogEntry): boolean {
  if (files.length === 0 || files.length > MOST_SOURCE_FILES || fileCount > MOST_FILES) return false;
  if (renames > fileCount / 2 || NOT_A_TASK.test(message.trim())) return false;
  return taskOf(message, new Set()).split(/\s+/).length >= LEAST_WORDS;
}

/** The changed lines of each wanted file in the old version, from a patch without context. */
function rangesByFile(patch: string, wanted: ReadonlySet<string>): Map<string, ChangedRange[]> {
  const files = new Map<string, ChangedRange[]>();
  for (const { oldPath, hunks } of parsePatch(patch)) {
    if (oldPath === undefined || !wanted.has(oldPath) || hunks.length === 0) continue;
    files.set(oldPath, hunks.map(rangeOf));
  }
  return files;
}

const rangeOf = ({ oldStart, oldCount }: FileHunk): ChangedRange => ({
  start: oldStart,
  end: oldCount === 0 ? oldStart + 1 : oldStart + oldCount - 1,
});
