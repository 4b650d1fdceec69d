import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errnoOf } from "../../../core/errors.ts";
import { askGit } from "../../../core/git/git.ts";
import { readBlobs } from "../../../core/git/objects.ts";
import { parseTree, type TreeEntry } from "../../../core/git/tree.ts";

const LARGEST_FILE = 1_000_000;
/** A tree may have names that no file system takes, or one name for a file and a directory: these files are left out. */
const NOT_A_NAME = ["ENAMETOOLONG", "ENOTDIR", "EEXIST", "EISDIR", "EILSEQ"];
/** Blobs are read in groups, so that a large tree is never in memory at once. */
const GROUP = 400;

/**
 * The files of a commit in a directory of ours, written from git's objects: the work tree is not touched and nothing of the
 * repository runs. Going from one commit to the next writes only what differs, so that the index follows quickly.
 */
export class TreeCopy {
  readonly #repository: string;
  readonly #directory: string;
  #entries: ReadonlyMap<string, string> = new Map();

  constructor(repository: string, directory: string) {
    this.#repository = repository;
    this.#directory = directory;
  }

  /** Returns the paths that were written or removed; `undefined` if git cannot list the files of the commit. */
  async moveTo(commit: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
    const next = await this.#list(commit, signal);
    if (next === undefined) return undefined;
    const gone = [...this.#entries.keys()].filter((path) => !next.has(path));
    const changed = [...next].filter(([path, oid]) => this.#entries.get(path) !== oid);
    for (const path of gone) await rm(join(this.#directory, path), { force: true });
    for (let at = 0; at < changed.length; at += GROUP)
      await this.#write(changed.slice(at, at + GROUP), signal);
    this.#entries = next;
    return [...gone, ...changed.map(([path]) => path)];
  }

  async #list(commit: string, signal: AbortSignal): Promise<ReadonlyMap<string, string> | undefined> {
    const output = await askGit(["ls-tree", "-r", "-z", "--full-tree", commit], {
      cwd: this.#repository,
      signal,
    });
    if (output === undefined) return undefined;
    return new Map(
      parseTree(output)
        .filter(isSafeFile)
        .map(({ path, oid }) => [path, oid]),
    );
  }

  async #write(files: readonly (readonly [path: string, oid: string])[], signal: AbortSignal): Promise<void> {
    const oids = files.map(([, oid]) => oid);
    const blobs = await readBlobs(this.#repository, oids, { maxBytes: LARGEST_FILE, signal });
    for (const [path, oid] of files) {
      const bytes = blobs.get(oid);
      if (bytes === undefined) continue;
      const file = join(this.#directory, path);
      try {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, bytes);
      } catch (thrown) {
        if (!NOT_A_NAME.includes(errnoOf(thrown) ?? "")) throw thrown;
      }
    }
  }
}

/** Only regular files. No link is ever written, so every path stays inside the directory. */
const isSafeFile = ({ path, mode, type }: TreeEntry): boolean =>
  type === "blob" &&
  mode.startsWith("100") &&
  !path.split("/").some((part) => part === ".." || part === "" || part.toLowerCase() === ".git");
