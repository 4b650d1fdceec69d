import { readInside } from "../../../core/files/read-inside.ts";
import { blobId } from "../../../core/git/blob-id.ts";
import { readBlobs } from "../../../core/git/objects.ts";
import { quotableLines } from "../../../core/hygiene/index.ts";
import type { PackItem, Rendition } from "../item.ts";
import type { ChangeSet, FileChange } from "./git-range.ts";

const MOST_LINES = 60;
/** Further files of a range are named, but not read. */
const MOST_FILES = 300;

/** The largest hunk of each changed file, or a note if it has no line to quote. */
export async function changeItems(
  root: string,
  { changes }: ChangeSet,
  signal: AbortSignal,
): Promise<PackItem[]> {
  const versions = await readNewVersions(root, changes, signal);
  return changes.map((change) => {
    const version = versions.get(change.path);
    const hunk = version === undefined ? [] : largestHunk(change, version.text);
    return {
      id: `change:${change.path}`,
      room: "packs",
      kind: "change",
      title: `${change.path} (${change.status})`,
      score: 0.8,
      why: `${change.status} in the range`,
      ...(version === undefined || hunk.length === 0 ? noted(change) : quoted(change, version, hunk)),
    };
  });
}

/** A changed file at the end of the range. */
interface NewVersion {
  readonly text: string;
  /** Whether the file on the disk is the same now. */
  readonly isOnDisk: boolean;
}

/** The new versions of changed files by path: from the disk if unchanged there, else from git's objects. */
async function readNewVersions(
  root: string,
  changes: readonly FileChange[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, NewVersion>> {
  const wanted = changes
    .flatMap(({ path, blob }) => (blob === undefined ? [] : [{ path, blob }]))
    .slice(0, MOST_FILES);
  const read = await Promise.all(
    wanted.map(async (file) => ({ ...file, onDisk: await textOnDisk(root, file.path, file.blob) })),
  );
  const elsewhere = read.filter(({ onDisk }) => onDisk === undefined).map(({ blob }) => blob);
  const blobs = elsewhere.length === 0 ? undefined : await readBlobs(root, elsewhere, { signal });
  const versions = new Map<string, NewVersion>();
  for (const { path, blob, onDisk } of read) {
    const text = onDisk ?? blobs?.get(blob)?.toString("utf8");
    if (text !== undefined) versions.set(path, { text, isOnDisk: onDisk !== undefined });
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

const quoted = ({ path }: FileChange, { isOnDisk }: NewVersion, hunk: readonly Rendition[]): Quoted => ({
  provenance: isOnDisk ? "git range" : "git range, not as it is on the disk",
  freshness: isOnDisk ? "fresh" : "changed since indexed",
  language: path.split(".").at(-1) ?? "text",
  sizes: hunk,
});

const noted = ({ path, note }: FileChange): Quoted => ({
  provenance: "git range",
  freshness: "not checked",
  language: "text",
  sizes: [{ text: note, citation: { path, start: 0, end: 0 } }],
});

function largestHunk({ path, lines }: FileChange, text: string): Rendition[] {
  const [first, ...others] = lines;
  if (first === undefined) return [];
  const hunk = others.reduce(
    (best, next) => (next.end - next.start > best.end - best.start ? next : best),
    first,
  );
  const all = quotableLines(text);
  const quote = (end: number): Rendition => {
    const cut = all.slice(hunk.start - 1, end);
    return {
      text: cut.join("\n"),
      citation: { path, start: hunk.start, end: hunk.start + cut.length - 1 },
    };
  };
  const whole = quote(Math.min(hunk.end, hunk.start + MOST_LINES - 1));
  if (whole.text.trim() === "") return [];
  return hunk.end - hunk.start > 5 ? [whole, quote(hunk.start + 2)] : [whole];
}
