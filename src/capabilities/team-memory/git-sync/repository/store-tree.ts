import { createHash, randomBytes } from "node:crypto";
import { lstatSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { blobId as idOfBlob } from "../../../../core/git/blob-id.ts";
import { readBlobs } from "../../../../core/git/objects.ts";
import { LINK_MODE, parseTree } from "../../../../core/git/tree.ts";
import type { FileIds } from "../../merge/store-merge.ts";
import { MAX_FILE_BYTES, readStoreFile } from "../../store/read-file.ts";
import type { ScopeTable } from "../../store/scopes.ts";
import { sharingOf, storeFiles } from "../../store/shared-files.ts";
import { findIgnored } from "./ignored-files.ts";
import { mustGit, noObject, refused, type SyncRepository } from "./repository.ts";

/** The files that a commit of the store would contain now, with their git ids. */
export interface DiskFiles {
  readonly ids: FileIds;
  /** Shared files that git ignores and no commit has: they stay on this machine. */
  readonly ignored: readonly string[];
  /** The rule that ignores the whole store, unless the branch has it all the same. */
  readonly storeRule: string | undefined;
  /** The bytes on disk; `undefined` if the file was taken from the commit. */
  read(path: string): Buffer | undefined;
}

/**
 * The files on disk that belong into a commit. Foreign files stay as committed, and so do the files in `kept`, which are
 * missing from the work tree on purpose.
 */
export async function publicFiles(
  repository: SyncRepository,
  directory: string,
  { scopes, committed, kept }: { scopes: ScopeTable; committed: FileIds; kept: FileIds },
): Promise<DiskFiles> {
  const foreign = [...committed].filter(([path]) => sharingOf(path, scopes) === "foreign");
  const shared = [...kept].filter(([path]) => sharingOf(path, scopes) === "shared");
  const ids = new Map([...foreign, ...shared]);
  const contents = new Map<string, Buffer>();
  const candidates = storeFiles(directory).filter((path) => sharingOf(path, scopes) === "shared");
  const ignored = await findIgnored(
    repository,
    candidates.filter((path) => !committed.has(path)),
  );
  for (const path of candidates) {
    if (ignored.paths.has(path)) continue;
    const bytes = readStoreFile(directory, path)?.bytes;
    if (bytes === undefined) continue;
    const stored = asStored(repository, bytes);
    contents.set(path, stored);
    ids.set(path, blobId(repository, stored));
  }
  refuseUnreadable(directory, { scopes, committed, ids });
  return {
    ids,
    ignored: [...ignored.paths],
    storeRule: committed.size === 0 ? ignored.storeRule : undefined,
    read: (path) => contents.get(path),
  };
}

/** A file that exists but could not be listed must not look deleted. */
function refuseUnreadable(
  directory: string,
  { scopes, committed, ids }: { scopes: ScopeTable; committed: FileIds; ids: FileIds },
): void {
  for (const path of committed.keys()) {
    if (ids.has(path) || sharingOf(path, scopes) !== "shared") continue;
    if (lstatSync(join(directory, path), { throwIfNoEntry: false }) === undefined) continue;
    throw refused(`Cannot read ${path} of the store. Repair it, then sync again.`);
  }
}

/** Never in a commit, whatever the scopes of this clone say. */
const isAlwaysLocal = (path: string) =>
  sharingOf(path, { of: () => "public", rows: new Map(), problems: [] }) === "local";

/** The store's files in a commit, without links and submodules. */
export async function filesAt(repository: SyncRepository, commit: string | undefined): Promise<FileIds> {
  const files = await allFilesAt(repository, commit);
  return new Map([...files].filter(([path]) => !isAlwaysLocal(path)));
}

/** Also files that should not have been committed, for example by another program: the next commit drops them. */
export async function allFilesAt(
  { top, prefix }: SyncRepository,
  commit: string | undefined,
): Promise<FileIds> {
  if (commit === undefined) return new Map();
  const { stdout } = await mustGit(["ls-tree", "-r", "-z", commit, "--", prefix], { cwd: top });
  const entries = parseTree(stdout.toString("utf8"));
  if (entries.some(({ path }) => path === prefix))
    throw refused(`${prefix} is not a directory in ${commit.slice(0, 12)}. It cannot be synced.`);
  const files = entries.filter(({ type, mode }) => type === "blob" && mode !== LINK_MODE);
  return new Map(files.map(({ path, oid }) => [path.slice(prefix.length + 1), oid]));
}

/** Writes contents into the object database, with one process. */
export async function writeBlobs(
  { top }: SyncRepository,
  contents: readonly (string | Uint8Array)[],
): Promise<void> {
  if (contents.length === 0) return;
  const parts = contents.flatMap((content) => {
    const bytes = Buffer.from(content);
    return [Buffer.from(`blob\ndata ${bytes.length}\n`), bytes, Buffer.from("\n")];
  });
  await mustGit(["fast-import", "--quiet"], {
    cwd: top,
    input: Buffer.concat([...parts, Buffer.from("done\n")]),
  });
}

/** Writes a tree like `base` with exactly these files in the store. Uses a temporary index. Call it under the lock. */
export async function writeTree(
  repository: SyncRepository,
  base: string | undefined,
  files: FileIds,
): Promise<string> {
  const { top, prefix, gitDirectory } = repository;
  const ours = temporaryIndexPrefix(repository);
  await removeLeftovers(gitDirectory, ours);
  const index = join(gitDirectory, `${ours}${randomBytes(6).toString("hex")}.index`);
  const options = { cwd: top, env: { GIT_INDEX_FILE: index } };
  try {
    await mustGit(base === undefined ? ["read-tree", "--empty"] : ["read-tree", base], options);
    const known =
      base === undefined
        ? ""
        : (
            await mustGit(["ls-tree", "-r", "-z", "--name-only", base, "--", `${prefix}/`], { cwd: top })
          ).stdout.toString("utf8");
    const zero = noObject(repository);
    const removals = known
      .split("\0")
      .filter((path) => path !== "")
      .map((path) => `0 ${zero}\t${path}\0`);
    const additions = [...files].map(([path, id]) => `100644 ${id}\t${prefix}/${path}\0`);
    await mustGit(["update-index", "-z", "--index-info"], {
      ...options,
      input: [...removals, ...additions].join(""),
    });
    return (await mustGit(["write-tree"], options)).stdout.toString("utf8").trim();
  } finally {
    await Promise.all([rm(index, { force: true }), rm(`${index}.lock`, { force: true })]);
  }
}

/** Another store of the same repository has another lock, and its temporary index other names. */
export const temporaryIndexPrefix = ({ prefix }: Pick<SyncRepository, "prefix">): string =>
  `contextful-${createHash("sha256").update(prefix).digest("hex").slice(0, 8)}-`;

/** A killed process leaves its temporary index. We hold the store's lock, so nobody uses it any more. */
async function removeLeftovers(gitDirectory: string, ours: string): Promise<void> {
  const names = (await readdir(gitDirectory)).filter((name) => name.startsWith(ours));
  await Promise.all(names.map((name) => rm(join(gitDirectory, name), { force: true })));
}

/** The git id of the content, computed without git. */
export const blobId = (repository: SyncRepository, content: string | Uint8Array): string =>
  idOfBlob(content, noObject(repository).length);

/** Contents by id, with one process. */
export async function readContents(
  { top }: SyncRepository,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  if (ids.length === 0) return new Map();
  const contents = await readBlobs(top, ids, { maxBytes: MAX_FILE_BYTES });
  const missing = ids.find((id) => !contents.has(id));
  if (missing === undefined) return contents;
  throw refused(`A file of the store is too large or cannot be read (${missing.slice(0, 12)}).`);
}

/** The bytes that git would store for a file on disk. */
export function asStored({ isLfStored }: SyncRepository, bytes: Buffer): Buffer {
  return isLfStored && bytes.includes("\r\n") && !bytes.includes(0)
    ? Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1")
    : bytes;
}

export const sameFiles = (a: FileIds, b: FileIds): boolean =>
  a.size === b.size && [...a].every(([path, id]) => b.get(path) === id);
