import { runGit } from "../../../../core/git/git.ts";
import {
  firstLines,
  indexHeld,
  isIndexHeld,
  listed,
  mustGit,
  refused,
  type SyncRepository,
} from "./repository.ts";

/** The merge of all files outside the store. */
interface OutsideMerge {
  /** A tree that is correct outside the store. Its files of the store are replaced later. */
  readonly tree: string;
  /** Files outside the store that must change in the work tree. */
  readonly changed: readonly string[];
}

/** Merges teammates' commits to code. The files of the store are merged separately, by their format. */
export async function mergeOutside(
  repository: SyncRepository,
  base: string | undefined,
  theirs: string,
): Promise<OutsideMerge> {
  const { top, head } = repository;
  if (head === undefined) return { tree: theirs, changed: [] };
  if (base === head) return { tree: theirs, changed: await changedOutside(repository, head, theirs) };
  if (base !== undefined && (await changedOutside(repository, base, theirs)).length === 0)
    return { tree: head, changed: [] };
  const { code, stdout, stderr } = await runGit(
    [
      "merge-tree",
      "--write-tree",
      "-z",
      "--name-only",
      ...(base === undefined ? ["--allow-unrelated-histories"] : []),
      head,
      theirs,
    ],
    { cwd: top },
  );
  if (code > 1)
    throw refused(
      `Code on this branch cannot be merged here: ${firstLines(stderr)} Run git pull, then sync again.`,
    );
  const [tree = "", ...rest] = stdout.toString("utf8").split("\0");
  const conflicting =
    code === 0 ? [] : rest.slice(0, rest.indexOf("")).filter((path) => !isInStore(repository, path));
  if (conflicting.length > 0) throw blockedBy("Your code and the remote's conflict in", conflicting);
  return { tree, changed: await changedOutside(repository, head, tree) };
}

/** Refuses, before anything has changed, if the user's uncommitted work would be overwritten. */
export async function checkWorkTree(
  repository: SyncRepository,
  outside: OutsideMerge,
  treeNow: () => Promise<string>,
): Promise<void> {
  if (repository.onOwnBranch || outside.changed.length === 0) return;
  const filtered = await filteredPaths(repository, outside.changed);
  if (filtered.length > 0)
    throw blockedBy("The remote changed files that need a filter program (such as LFS):", filtered);
  // Like git before a merge: a file with a new timestamp but the same content is not a change.
  await runGit(["update-index", "-q", "--refresh"], { cwd: repository.top, network: true });
  const { code, stderr } = await runGit(
    ["read-tree", "-n", "-m", "-u", repository.head ?? "", await treeNow()],
    { cwd: repository.top, network: true },
  );
  if (isIndexHeld(stderr)) throw indexHeld();
  if (code !== 0)
    throw refused(
      `Your uncommitted changes stand in the way: ${firstLines(stderr)} Commit or stash them, then sync again.`,
    );
}

/** Updates the work tree and the index outside the store. Refuses to overwrite changes. */
export async function updateWorkTree(
  repository: SyncRepository,
  outside: OutsideMerge,
  tree: string,
): Promise<void> {
  if (repository.onOwnBranch || outside.changed.length === 0) return;
  await mustGit(["read-tree", "-m", "-u", repository.head ?? "", tree], {
    cwd: repository.top,
    network: true,
  });
}

const isInStore = ({ prefix }: SyncRepository, path: string) => path.startsWith(`${prefix}/`);

async function changedOutside(repository: SyncRepository, from: string, to: string): Promise<string[]> {
  const { stdout } = await mustGit(["diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to], {
    cwd: repository.top,
  });
  return stdout
    .toString("utf8")
    .split("\0")
    .filter((path) => path !== "" && !isInStore(repository, path));
}

async function filteredPaths({ top }: SyncRepository, paths: readonly string[]): Promise<string[]> {
  const input = `${paths.join("\0")}\0`;
  const { stdout } = await mustGit(["check-attr", "-z", "--stdin", "filter"], { cwd: top, input });
  const fields = stdout.toString("utf8").split("\0");
  const filtered: string[] = [];
  for (let index = 0; index + 2 < fields.length; index += 3) {
    const [path = "", , value = ""] = fields.slice(index, index + 3);
    if (!["unspecified", "unset"].includes(value)) filtered.push(path);
  }
  return filtered;
}

const blockedBy = (what: string, paths: readonly string[]) =>
  refused(
    `${what} ${listed(paths)}. Run git pull and resolve them, or give the memory its own branch: [memory] branch = "…".`,
    { files: paths },
  );
