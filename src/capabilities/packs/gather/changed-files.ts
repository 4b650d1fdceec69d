import { readInside } from "../../../core/files/read-inside.ts";
import { blobId } from "../../../core/git/blob-id.ts";
import { readBlobs } from "../../../core/git/objects.ts";
import type { FileChange } from "./git-range.ts";

/** A changed file as the range left it. */
export interface NewSide {
  readonly text: string;
  /** Whether that is what stands on the disk now. */
  readonly isOnDisk: boolean;
}

/** A range of more files is read as far as this; the rest is named. */
const MOST_FILES = 300;

/** The new sides of changed files by path: from the disk where it still holds them, else from git's objects. */
export async function readNewSides(
  root: string,
  changes: readonly FileChange[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, NewSide>> {
  const wanted = changes
    .flatMap(({ path, blob }) => (blob === undefined ? [] : [{ path, blob }]))
    .slice(0, MOST_FILES);
  const read = await Promise.all(
    wanted.map(async (file) => ({ ...file, onDisk: await textOnDisk(root, file.path, file.blob) })),
  );
  const elsewhere = read.filter(({ onDisk }) => onDisk === undefined).map(({ blob }) => blob);
  const blobs = elsewhere.length === 0 ? undefined : await readBlobs(root, elsewhere, { signal });
  const sides = new Map<string, NewSide>();
  for (const { path, blob, onDisk } of read) {
    const text = onDisk ?? blobs?.get(blob)?.toString("utf8");
    if (text !== undefined) sides.set(path, { text, isOnDisk: onDisk !== undefined });
  }
  return sides;
}

async function textOnDisk(root: string, path: string, blob: string): Promise<string | undefined> {
  const bytes = await readInside(root, path);
  if (bytes === undefined) return undefined;
  if (blobId(bytes, blob.length) === blob) return bytes.toString("utf8");
  // Checked out with other line ends than git keeps.
  const unix = bytes.toString("utf8").replaceAll("\r\n", "\n");
  return blobId(Buffer.from(unix), blob.length) === blob ? unix : undefined;
}
