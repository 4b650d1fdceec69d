import { kindsOf } from "../../../core/files/path-kinds.ts";
import { readInside } from "../../../core/files/read-inside.ts";
import { blobId } from "../../../core/git/blob-id.ts";
import { readBlobs } from "../../../core/git/objects.ts";
import type { FileHunk } from "../../../core/git/patch.ts";
import { quotableLines } from "../../../core/hygiene/index.ts";
import { fileRoleOf } from "../file-role.ts";
import type { PackItem, Rendition } from "../item.ts";
import type { ChangeSet, FileChange } from "./git-range.ts";

/** Most lines of a hunk, and of all hunks of a file together. */
const MOST_LINES = 60;
const MOST_LINES_IN_ALL = 150;
/** A review reads the source first, then documents and settings, then tests, and lock files last. */
const SCORE = { source: 0.8, test: 0.6, accessory: 0.25 } as const;
const BESIDE_THE_SOURCE = 0.5;
/** Further files of a range are named, but not read. */
const MOST_FILES = 300;

/** What changed in each file, removed lines too, or a note if it has no line to quote. */
export async function changeItems(
  root: string,
  { changes }: ChangeSet,
  signal: AbortSignal,
): Promise<PackItem[]> {
  const versions = await readVersions(root, changes, signal);
  return changes.map((change) => {
    const version = versions.get(change.path);
    const hunks = version === undefined ? [] : hunkSizes(change, version);
    const role = fileRoleOf(change.path);
    return {
      id: `change:${change.path}`,
      room: "packs",
      kind: "change",
      role,
      title: `${change.path} (${change.status})`,
      score: role === "source" && isBesideSource(change.path) ? BESIDE_THE_SOURCE : SCORE[role],
      why: `${change.status} in the range`,
      ...(version === undefined || hunks.length === 0 ? noted(change) : quoted(change, version, hunks)),
    };
  });
}

const isBesideSource = (path: string): boolean =>
  kindsOf(path).some((kind) => kind === "docs" || kind === "data");

/** A changed file at the end of the range, and its old text if lines of it were removed. */
interface ChangedVersion {
  readonly text: string;
  readonly oldText: string | undefined;
  /** Whether the file on the disk is the same now. */
  readonly isOnDisk: boolean;
}

/** The versions of changed files by path. The new one is from the disk if unchanged there, else from git's objects. */
async function readVersions(
  root: string,
  changes: readonly FileChange[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ChangedVersion>> {
  const wanted = changes
    .flatMap(({ path, blob, oldBlob }) => (blob === undefined ? [] : [{ path, blob, oldBlob }]))
    .slice(0, MOST_FILES);
  const read = await Promise.all(
    wanted.map(async (file) => ({ ...file, onDisk: await textOnDisk(root, file.path, file.blob) })),
  );
  const inGit = read.flatMap(({ onDisk, blob, oldBlob = [] }) =>
    [onDisk === undefined ? blob : [], oldBlob].flat(),
  );
  const blobs = inGit.length === 0 ? undefined : await readBlobs(root, [...new Set(inGit)], { signal });
  const versions = new Map<string, ChangedVersion>();
  for (const { path, blob, oldBlob = "", onDisk } of read) {
    const text = onDisk ?? blobs?.get(blob)?.toString("utf8");
    const oldText = blobs?.get(oldBlob)?.toString("utf8");
    if (text !== undefined) versions.set(path, { text, oldText, isOnDisk: onDisk !== undefined });
  }
  return versions;
}

async function textOnDisk(root: string, path: string, blob: string): Promise<string | undefined> {
  const bytes = await readInside(root, path);
  if (bytes === undefined) return undefined;
  if (blobId(bytes, blob.length) === blob) return bytes.toString("utf8");
  // The checkout may have other line ends than the object in git.
  const unix = bytes.toString("utf8").replaceAll("\r\n", "\n");
  return blobId(Buffer.from(unix), blob.length) === blob ? unix : undefined;
}

type Quoted = Pick<PackItem, "provenance" | "freshness" | "language" | "sizes">;

const quoted = (
  { path, hunks }: FileChange,
  { isOnDisk }: ChangedVersion,
  sizes: readonly Rendition[],
): Quoted => ({
  provenance: isOnDisk ? "git range" : "git range, not as it is on the disk",
  freshness: isOnDisk ? "fresh" : "changed since indexed",
  language: isPlainAddition(hunks) ? (path.split(".").at(-1) ?? "text") : "diff",
  sizes,
});

/** Then the lines can be quoted as they are. */
const isPlainAddition = (hunks: readonly FileHunk[]): boolean =>
  hunks.length === 1 && hunks[0]?.oldCount === 0;

const noted = ({ path, note }: FileChange): Quoted => ({
  provenance: "git range",
  freshness: "not checked",
  language: "text",
  sizes: [{ text: note, citation: { path, start: 0, end: 0 } }],
});

/** All hunks, then the largest, then its beginning. */
function hunkSizes({ path, hunks }: FileChange, { text, oldText = "" }: ChangedVersion): Rendition[] {
  const largest = hunks.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0];
  if (largest === undefined) return [];
  const versions = { path, lines: quotableLines(text), oldLines: quotableLines(oldText) };
  const beginning = lengthOf(largest) > 6 ? [quoteHunk(versions, largest, 3)] : [];
  if (isPlainAddition(hunks)) {
    const whole = quoteHunk(versions, largest, MOST_LINES);
    return whole.text.trim() === "" ? [] : [whole, ...beginning];
  }
  if (hunks.length === 1) return [quoteHunk(versions, largest, MOST_LINES), ...beginning];
  return [patch(versions, hunks), quoteHunk(versions, largest, MOST_LINES), ...beginning];
}

const lengthOf = ({ count, oldCount }: FileHunk): number => count + oldCount;

interface HunkVersions {
  readonly path: string;
  readonly lines: readonly string[];
  readonly oldLines: readonly string[];
}

/** Added lines as they are; with signs if lines were removed too. At most so many of each. */
function quoteHunk({ path, lines, oldLines }: HunkVersions, hunk: FileHunk, most: number): Rendition {
  const { oldStart, oldCount, start, count } = hunk;
  const added = lines.slice(start - 1, start - 1 + Math.min(count, most));
  const removed = oldLines.slice(oldStart - 1, oldStart - 1 + Math.min(oldCount, most));
  const citation = { path, start: Math.max(1, start), end: Math.max(1, start, start + added.length - 1) };
  if (oldCount === 0) return { text: added.join("\n"), citation };
  const signed = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
  return { text: signed.join("\n"), citation };
}

/** Several hunks, each after its place. */
function patch(versions: HunkVersions, hunks: readonly FileHunk[]): Rendition {
  const lines = hunks.flatMap((hunk) => {
    const { oldStart, oldCount, start, count } = hunk;
    const quoted = quoteHunk(versions, hunk, MOST_LINES).text.split("\n");
    const signed = oldCount === 0 ? quoted.map((line) => `+${line}`) : quoted;
    return [`@@ -${oldStart},${oldCount} +${start},${count} @@`, ...signed];
  });
  const places = hunks.map(({ start, count }) => [Math.max(1, start), Math.max(1, start, start + count - 1)]);
  return {
    text: lines.slice(0, MOST_LINES_IN_ALL).join("\n"),
    citation: { path: versions.path, start: places[0]?.[0] ?? 1, end: places.at(-1)?.[1] ?? 1 },
  };
}
