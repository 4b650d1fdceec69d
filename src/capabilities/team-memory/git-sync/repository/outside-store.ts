import { runGit } from "../../../../core/git/git.ts";
import {
  firstLines,
  indexHeld,
  isIndexHeld,
  listed,
  mustGit,
  type Repository,
  refused,
} from "./repository.ts";

/** Everything of the repository that is not the store, after a merge. */
export interface Outside {
  /** A tree whose files outside the store are right; what it says of the store is replaced. */
  readonly tree: string;
  /** Files outside the store that the work tree has to follow. */
  readonly changed: readonly string[];
}

/** Merges teammates' commits to code. The store's own files are merged elsewhere, by what they mean. */
export async function mergeOutside(
  repository: Repository,
  base: string | undefined,
  theirs: string,
): Promise<Outside> {
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
  if (conflicting.length > 0) throw inTheWay("Your code and the remote's conflict in", conflicting);
  return { tree, changed: await changedOutside(repository, head, tree) };
}

/** Refuses, before anything is touched, where the user's own work stands in the way. */
export async function checkWorkTree(
  repository: Repository,
  outside: Outside,
  treeNow: () => Promise<string>,
): Promise<void> {
  if (repository.isApart || outside.changed.length === 0) return;
  const filtered = await filteredPaths(repository, outside.changed);
  if (filtered.length > 0)
    throw inTheWay("The remote changed files that need a filter program (such as LFS):", filtered);
  // As git itself does before a merge: files that were only touched are no changes.
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

/** Lets the work tree and the index follow, for files outside the store. Refuses rather than overwrite. */
export async function followWorkTree(repository: Repository, outside: Outside, tree: string): Promise<void> {
  if (repository.isApart || outside.changed.length === 0) return;
  await mustGit(["read-tree", "-m", "-u", repository.head ?? "", tree], {
    cwd: repository.top,
    network: true,
  });
}

const isInStore = ({ prefix }: Repository, path: string) => path.startsWith(`${prefix}/`);

async function changedOutside(repository: Repository, from: string, to: string): Promise<string[]> {
  const { stdout } = await mustGit(["diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to], {
    cwd: repository.top,
  });
  return stdout
    .toString("utf8")
    .split("\0")
    .filter((path) => path !== "" && !isInStore(repository, path));
}

async function filteredPaths({ top }: Repository, paths: readonly string[]): Promise<string[]> {
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

const inTheWay = (what: string, paths: readonly string[]) =>
  refused(
    `${what} ${listed(paths)}. Run git pull and settle them, or give the memory its own branch: [memory] branch = "…".`,
    { files: paths },
  );
