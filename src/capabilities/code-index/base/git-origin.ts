import { askGit } from "../../../core/git/git.ts";
import { describeObjects } from "../../../core/git/objects.ts";
import { sha256 } from "../../../core/hash.ts";
import { byCodeUnit } from "../../../core/order.ts";

/** Where in its history a project is. */
export interface GitOrigin {
  readonly commit: string;
  /** The project's directory in its repository: empty, or with a slash at the end. */
  readonly prefix: string;
  readonly isShallow: boolean;
}

/** How many commits back an ancestor is looked for, and how many other commits are compared file by file. */
const MAX_ANCESTORS = 20_000;
const MAX_COMPARED = 8;

/** `undefined` outside a repository, and before its first commit. */
export async function readGitOrigin(root: string, signal: AbortSignal): Promise<GitOrigin | undefined> {
  const asked = [
    "rev-parse",
    "--is-shallow-repository",
    "--show-prefix",
    "--verify",
    "--quiet",
    "HEAD^{commit}",
  ];
  const output = await askGit(asked, { cwd: root, signal });
  const [shallow, prefix, commit] = output?.split("\n") ?? [];
  if (prefix === undefined || commit === undefined || !/^[0-9a-f]{40,64}$/.test(commit)) return undefined;
  return { commit, prefix, isShallow: shallow === "true" };
}

/** The same for every clone: it is made of the repository's first commits. A clone without them has its own. */
export async function repositoryId(
  root: string,
  { prefix }: GitOrigin,
  signal: AbortSignal,
): Promise<string | undefined> {
  const roots = await askGit(["rev-list", "--max-parents=0", "HEAD"], { cwd: root, signal });
  if (roots === undefined) return undefined;
  return sha256([...roots.trim().split("\n").sort(byCodeUnit), prefix].join("\n"));
}

/** Of these, the one whose commit differs least from HEAD, if this clone has any of the commits. */
export async function nearestKnown<T extends { readonly commit: string }>(
  root: string,
  head: string,
  candidates: readonly T[],
  signal: AbortSignal,
): Promise<{ readonly found: T; readonly changedFiles: number } | undefined> {
  const objects = await describeObjects(
    candidates.map(({ commit }) => commit),
    { cwd: root, signal },
  );
  const known = new Set(objects.flatMap((object) => (object?.type === "commit" ? [object.id] : [])));
  const commits = candidates.map(({ commit }) => commit).filter((commit) => known.has(commit));
  if (commits.length === 0) return undefined;
  const nearest = await nearestCommit(root, head, commits, signal);
  const found = candidates.find(({ commit }) => commit === nearest?.commit);
  return nearest && found && { found, changedFiles: nearest.changedFiles };
}

/**
 * The commit that differs least from HEAD: the nearest ancestor, or else the one with the fewest changed files.
 * `commits` are known here, the most likely first.
 */
async function nearestCommit(
  root: string,
  head: string,
  commits: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly commit: string; readonly changedFiles: number } | undefined> {
  if (commits.includes(head)) return { commit: head, changedFiles: 0 };
  const wanted = new Set(commits);
  const ancestors = await askGit(["rev-list", `--max-count=${MAX_ANCESTORS}`, "HEAD"], { cwd: root, signal });
  const ancestor = ancestors?.split("\n").find((commit) => wanted.has(commit));
  const compared = [...new Set([...(ancestor ? [ancestor] : []), ...commits])].slice(0, MAX_COMPARED);
  let best: { commit: string; changedFiles: number } | undefined;
  for (const commit of compared) {
    const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", commit, head, "--", "."];
    const names = await askGit(args, { cwd: root, signal });
    if (names === undefined) continue;
    const changedFiles = names.split("\0").length - 1;
    if (best === undefined || changedFiles < best.changedFiles) best = { commit, changedFiles };
  }
  return best;
}
