import { existsSync } from "node:fs";
import { join } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import { askGit, type GitResult, runGit } from "../../../core/git/git.ts";
import { STORE_DIRECTORY } from "../store/layout.ts";
import type { Place } from "../store/locate.ts";

export interface Remote {
  readonly name: string;
  readonly url: string;
  /** Where we remember what the remote had at the last fetch. */
  readonly trackingRef: string;
}

/** The repository a store lives in, as it stands now. */
export interface Repository {
  readonly top: string;
  readonly gitDirectory: string;
  /** The store's path from `top`, with `/` and no final one. */
  readonly prefix: string;
  /** The branch that carries the store, e.g. `refs/heads/main`. */
  readonly branch: string;
  /** Its commit; `undefined` before the first one. */
  readonly head: string | undefined;
  /** True where the store has a branch of its own: the work tree and the index then have no part in it. */
  readonly isApart: boolean;
  readonly remote: Remote | undefined;
  readonly objectFormat: "sha1" | "sha256";
}

const UNDER_WAY = {
  MERGE_HEAD: "a merge",
  "rebase-merge": "a rebase",
  "rebase-apply": "a rebase",
  CHERRY_PICK_HEAD: "a cherry-pick",
  REVERT_HEAD: "a revert",
} as const;

/** Reads where the repository stands, or says why its memory cannot be synced now. */
export async function openRepository(
  { root, directory }: Place,
  ownBranch: string | undefined,
): Promise<Repository> {
  const facts = await askGit(["rev-parse", "--show-toplevel", "--absolute-git-dir", "--show-object-format"], {
    cwd: root,
  });
  if (facts === undefined) throw refused(`Not a git repository: ${STORE_DIRECTORY} cannot be synced here.`);
  const [top = "", gitDirectory = "", format = ""] = facts.split("\n");
  const within = (await askGit(["rev-parse", "--show-prefix"], { cwd: root }))?.trimEnd() ?? "";
  const checkedOut = (await askGit(["symbolic-ref", "-q", "HEAD"], { cwd: root }))?.trim();
  const branch = ownBranch === undefined ? checkedOut : `refs/heads/${ownBranch}`;
  if (branch === undefined) throw refused("HEAD is detached. Check out a branch, then sync again.");
  if (ownBranch === undefined) refuseUnfinished(gitDirectory);
  const head = await commitAt(top, branch);
  return {
    top,
    gitDirectory,
    prefix: `${within}${directory.slice(root.length + 1)}`.replaceAll("\\", "/"),
    branch,
    head,
    isApart: ownBranch !== undefined && branch !== checkedOut,
    remote: await remoteOf(top, branch),
    objectFormat: format === "sha256" ? "sha256" : "sha1",
  };
}

export const shortBranch = ({ branch }: Repository): string => branch.replace(/^refs\/heads\//, "");

export const commitAt = async (top: string, revision: string): Promise<string | undefined> =>
  (
    await askGit(["rev-parse", "--verify", "-q", "--end-of-options", `${revision}^{commit}`], { cwd: top })
  )?.trim();

/** The two numbers a person asks for: what only we have, and what only the remote has. */
export async function aheadBehind(
  top: string,
  ours: string,
  theirs: string,
): Promise<{ ahead: number; behind: number }> {
  const counts = await askGit(["rev-list", "--left-right", "--count", `${ours}...${theirs}`], { cwd: top });
  const [ahead = 0, behind = 0] = (counts ?? "").trim().split(/\s+/).map(Number);
  return { ahead, behind };
}

/** Runs git and throws its own words where it fails. */
export async function mustGit(...[args, options]: Parameters<typeof runGit>): Promise<GitResult> {
  const result = await runGit(args, options);
  if (result.code !== 0) throw refused(`git ${args[0]}: ${firstLines(result.stderr)}`);
  return result;
}

export const refused = (message: string, details: Readonly<Record<string, unknown>> = {}) =>
  new DomainError("conflict", message, { details });

export const firstLines = (text: string): string =>
  text
    .trim()
    .split("\n")
    .slice(0, 4)
    // A remote's address may carry a password.
    .map((line) => line.replaceAll(/\/\/[^/@\s]+@/g, "//"))
    .join(" ");

function refuseUnfinished(gitDirectory: string): void {
  for (const [file, what] of Object.entries(UNDER_WAY)) {
    if (existsSync(join(gitDirectory, file)))
      throw refused(`The repository is in the middle of ${what}. Finish or abort it, then sync again.`);
  }
}

async function remoteOf(top: string, branch: string): Promise<Remote | undefined> {
  const short = branch.replace(/^refs\/heads\//, "");
  const configured = (await askGit(["config", "--get", `branch.${short}.remote`], { cwd: top }))?.trim();
  const known = ((await askGit(["remote"], { cwd: top })) ?? "").split("\n").filter((name) => name !== "");
  const name = [configured, "origin", known.length === 1 ? known[0] : undefined].find(
    (candidate) => candidate !== undefined && known.includes(candidate),
  );
  if (name === undefined) return undefined;
  const url = (await askGit(["remote", "get-url", "--", name], { cwd: top }))?.trim();
  return url ? { name, url, trackingRef: `refs/remotes/${name}/${short}` } : undefined;
}
