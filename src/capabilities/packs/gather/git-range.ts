import { DomainError } from "../../../core/errors.ts";
import { commitOf } from "../../../core/git/commit.ts";
import { askGit } from "../../../core/git/git.ts";
import { type FileHunk, parseHunk } from "../../../core/git/patch.ts";
import type { ChangedFile } from "../item.ts";

export interface ChangeSet {
  /** The two commits, for the id of the pack. */
  readonly commits: string;
  readonly changes: readonly FileChange[];
}
export interface FileChange extends ChangedFile {
  /** The objects with the versions, if lines of them can be quoted. */
  readonly blob?: string;
  readonly oldBlob?: string;
  readonly hunks: readonly FileHunk[];
  /** What is said about the file if no line can be quoted. */
  readonly note: string;
}

const RANGE = /^([^\s\0.-][^\s\0]*?)(\.{2,3})([^\s\0.-][^\s\0]*)$/;
/** Longer than any commit name, and short enough for the expression above and for git. */
const LONGEST_RANGE = 1000;
const COMPARE = ["diff-tree", "-r", "--no-renames", "--no-ext-diff", "--no-textconv", "--relative"];
const STATUS: Readonly<Record<string, string>> = { A: "added", D: "deleted" };

/** What a git range changed. It compares objects only, so nothing of the repository's configuration runs. */
export async function readChanges(root: string, range: string, signal: AbortSignal): Promise<ChangeSet> {
  const options = { cwd: root, timeoutMs: 20_000, signal };
  const match = range.length > LONGEST_RANGE ? null : RANGE.exec(range);
  if (!match) throw invalidRange(range);
  const [, first = "", dots, last = ""] = match;
  const [from, to] = await Promise.all([commitOf(first, options), commitOf(last, options)]);
  if (from === undefined || to === undefined) throw invalidRange(range);
  const base = dots === "..." ? await askGit(["merge-base", from, to], options) : undefined;
  const start = base?.trim() ?? from;
  const compare = async (...format: string[]) => {
    const answer = await askGit([...COMPARE, ...format, start, to], options);
    if (answer === undefined) throw incomplete(range);
    return answer;
  };
  // Names are read from the NUL-separated list, never from the patch, which quotes them.
  const [list, patch] = await Promise.all([
    compare("--raw", "-z", "--no-abbrev"),
    compare("-p", "-U0", "--full-index", "--no-color"),
  ]);
  return { commits: `${start}..${to}`, changes: parseList(list, parseDifferences(patch)) };
}

const invalidRange = (range: string) =>
  new DomainError(
    "invalid_input",
    `Not a git range here: ${range.slice(0, 100)}. Use BASE..HEAD with two commits of this clone; a shallow or damaged clone may lack them.`,
    { details: { param: "diff" } },
  );

/** A partial clone may lack objects; a pack fetches nothing. */
const incomplete = (range: string) =>
  new DomainError(
    "unavailable",
    `git does not have everything that ${range} changed. Run "git diff ${range}" once, which fetches it, and ask again.`,
    { details: { param: "diff" } },
  );

interface BlobDifference {
  readonly hunks: FileHunk[];
  isBinary: boolean;
}
/** Keyed by the two objects: files with the same contents changed in the same way. */
type Differences = ReadonlyMap<string, BlobDifference>;

function parseList(list: string, differences: Differences): FileChange[] {
  const fields = list.split("\0");
  const changes: FileChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = "", before = "", blob = "", letter = ""] = (fields[at] ?? "").split(" ");
    // A file that replaced a link or a submodule is a new file in the patch.
    const old = letter === "T" ? "0".repeat(before.length) : before;
    const difference = differences.get(`${old}..${blob}`);
    const hunks = mode.startsWith("100") ? (difference?.hunks ?? []) : [];
    const lines = hunks.map(touchedLines);
    const status = STATUS[letter] ?? "modified";
    changes.push({
      path: fields[at + 1] ?? "",
      status,
      lines,
      hunks,
      ...(hunks.length > 0 && { blob }),
      ...(hunks.some(({ oldCount }) => oldCount > 0) && { oldBlob: before }),
      note: noteOf({ status, mode, lines, isBinary: difference?.isBinary, isSame: before === blob }),
    });
  }
  return changes;
}

/** If lines were only removed, the lines on both sides of the gap. */
const touchedLines = ({ start, count }: FileHunk) => ({
  start: Math.max(1, start),
  end: count === 0 ? start + 1 : start + count - 1,
});

interface Noted extends Pick<ChangedFile, "status" | "lines"> {
  readonly mode: string;
  readonly isBinary: boolean | undefined;
  readonly isSame: boolean;
}

function noteOf(change: Noted): string {
  if (change.status === "deleted") return "The file was deleted.";
  if (change.isSame) return "Only the mode of the file changed.";
  if (change.mode === "160000") return `A submodule was ${change.status}.`;
  if (change.mode === "120000") return `A link was ${change.status}.`;
  if (change.lines.length > 0) return `Changed from line ${change.lines[0]?.start}.`;
  // Git does not compare very large files either.
  if (change.isBinary) return `A binary or very large file was ${change.status}.`;
  return change.status === "added" ? "An empty file was added." : "Lines were only removed.";
}

/** The hunks of each difference. Every line of a file begins with a sign, so it cannot look like a header. */
function parseDifferences(patch: string): Differences {
  const differences = new Map<string, BlobDifference>();
  let current: BlobDifference = { hunks: [], isBinary: false };
  for (const line of patch.split("\n")) {
    const objects = /^index ([0-9a-f]+\.\.[0-9a-f]+)/.exec(line)?.[1];
    if (objects !== undefined) {
      current = { hunks: [], isBinary: false };
      differences.set(objects, current);
    }
    if (line.startsWith("Binary files ")) current.isBinary = true;
    const hunk = parseHunk(line);
    if (hunk) current.hunks.push(hunk);
  }
  return differences;
}
