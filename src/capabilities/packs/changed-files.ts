import { createHash } from "node:crypto";
import { readInside } from "../../core/files/read-inside.ts";
import { runGit } from "../../core/git/git.ts";
import type { FileChange } from "./git-range.ts";

/** A changed file as the range left it. */
export interface NewSide {
  readonly text: string;
  /** Whether that is what stands on the disk now. */
  readonly isOnDisk: boolean;
}

/** A range of more files is read as far as this; the rest is named. */
const MOST_FILES = 300;
const MOST_BYTES = 64 * 1024 * 1024;

/** The new sides of changed files by path: from the disk where it still holds them, else from git's objects. */
export async function readNewSides(
  root: string,
  changes: readonly FileChange[],
): Promise<ReadonlyMap<string, NewSide>> {
  const wanted = changes
    .flatMap(({ path, blob }) => (blob === undefined ? [] : [{ path, blob }]))
    .slice(0, MOST_FILES);
  const read = await Promise.all(
    wanted.map(async (file) => ({ ...file, onDisk: await textOnDisk(root, file.path, file.blob) })),
  );
  const elsewhere = read.filter(({ onDisk }) => onDisk === undefined).map(({ blob }) => blob);
  const blobs = await readBlobs(root, [...new Set(elsewhere)]);
  const sides = new Map<string, NewSide>();
  for (const { path, blob, onDisk } of read) {
    const text = onDisk ?? blobs.get(blob);
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

/** As git names objects: by SHA-1, or by SHA-256 where the repository was made so. */
const blobId = (bytes: Buffer, length: number): string =>
  createHash(length === 64 ? "sha256" : "sha1")
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest("hex");

/** All in one process. Without what cannot be had: an object of a partial clone, or more than is sensible. */
async function readBlobs(root: string, blobs: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  if (blobs.length === 0) return texts;
  const options = { cwd: root, input: `${blobs.join("\n")}\n`, timeoutMs: 20_000, maxBytes: MOST_BYTES };
  const stdout = await runGit(["cat-file", "--batch"], options).then(
    (result) => result.stdout,
    () => Buffer.alloc(0),
  );
  let at = 0;
  for (let end = stdout.indexOf("\n"); end !== -1; end = stdout.indexOf("\n", at)) {
    const [id = "", type, size] = stdout.toString("latin1", at, end).split(" ");
    at = end + 1;
    if (type !== "blob") continue;
    texts.set(id, stdout.toString("utf8", at, at + Number(size)));
    at += Number(size) + 1;
  }
  return texts;
}
