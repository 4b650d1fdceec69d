import { askGit } from "../git/git.ts";

const LISTED = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];

/** Tracked and untracked files that git does not ignore, relative to `root`; `undefined` outside a repository. */
export const filesOfGit = async (root: string, signal?: AbortSignal): Promise<string[] | undefined> =>
  (await listedByGit(root, signal))?.filter((path) => !path.endsWith("/"));

/** The same, with nested repositories: a submodule is a plain path, any other repository ends with a slash. */
export async function listedByGit(root: string, signal?: AbortSignal): Promise<string[] | undefined> {
  const options = { cwd: root, ...(signal && { signal }) };
  const output = await askGit(LISTED, options);
  if (output === undefined) return undefined;
  const paths = output.split("\0").filter((path) => path !== "");
  if (paths.length > 0) return paths;
  // A root that its surrounding repository ignores is a project of its own: the user asked for it.
  const isIgnored = (await askGit(["check-ignore", "-q", "--", root], options)) !== undefined;
  return isIgnored ? undefined : paths;
}
