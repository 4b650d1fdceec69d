import { askGit } from "../git/git.ts";

/** Tracked and untracked files that git does not ignore, relative to `root`; `undefined` outside a repository. */
export async function filesOfGit(root: string, signal?: AbortSignal): Promise<string[] | undefined> {
  const output = await askGit(
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"],
    {
      cwd: root,
      ...(signal && { signal }),
    },
  );
  return output?.split("\0").filter((path) => path !== "");
}
