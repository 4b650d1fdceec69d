import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { DomainError } from "../../../../core/errors.ts";
import { commitOf } from "../../../../core/git/commit.ts";
import { askGit, type GitResult, runGit } from "../../../../core/git/git.ts";
import { STORE_DIRECTORY } from "../../store/layout.ts";
import type { StorePlace } from "../../store/locate.ts";
import { type GitSettings, readSettings, type SyncRemote } from "./settings.ts";

/** The repository that holds the store, at one moment. */
export interface SyncRepository extends Omit<GitSettings, "remoteOf"> {
  readonly top: string;
  readonly gitDirectory: string;
  /** The store's path from `top`, with `/` and no final one. */
  readonly prefix: string;
  /** The branch that carries the store, e.g. `refs/heads/main`. */
  readonly branch: string;
  /** Its commit; `undefined` before the first one. */
  readonly head: string | undefined;
  /** The store has its own branch: the work tree and the index are not touched. */
  readonly onOwnBranch: boolean;
  readonly remote: SyncRemote | undefined;
  readonly objectFormat: "sha1" | "sha256";
}

const IN_PROGRESS = {
  MERGE_HEAD: "a merge",
  "rebase-merge": "a rebase",
  "rebase-apply": "a rebase",
  CHERRY_PICK_HEAD: "a cherry-pick",
  REVERT_HEAD: "a revert",
} as const;

const FACTS = [
  "--show-toplevel",
  "--absolute-git-dir",
  "--git-common-dir",
  "--show-object-format",
  "--show-prefix",
];

/** Reads the state of the repository. Throws if its memory cannot be synced now. */
export async function openRepository(
  { root, directory }: StorePlace,
  ownBranch: string | undefined,
): Promise<SyncRepository> {
  const [facts, symbolic, settingsAt] = await Promise.all([
    askGit(["rev-parse", ...FACTS], { cwd: root }),
    askGit(["symbolic-ref", "-q", "HEAD"], { cwd: root }),
    readSettings(root),
  ]);
  if (facts === undefined) throw refused(`Not a git repository: ${STORE_DIRECTORY} cannot be synced here.`);
  const [top = "", gitDirectory = "", common = "", format = "", within = ""] = facts.split("\n");
  const checkedOut = symbolic?.trim();
  const branch = ownBranch === undefined ? checkedOut : `refs/heads/${ownBranch}`;
  if (branch === undefined) throw refused("HEAD is detached. Check out a branch, then sync again.");
  if (ownBranch === undefined) requireNothingInProgress(gitDirectory);
  const { remoteOf, ...settings } = settingsAt({ top, commonDirectory: resolve(root, common) });
  return {
    ...settings,
    top,
    gitDirectory,
    prefix: `${within}${directory.slice(root.length + 1)}`.replaceAll("\\", "/"),
    branch,
    head: await commitOf(branch, { cwd: top }),
    onOwnBranch: ownBranch !== undefined && branch !== checkedOut,
    remote: remoteOf(branch),
    objectFormat: format === "sha256" ? "sha256" : "sha1",
  };
}

/** The row of one store file in git's index. */
export interface IndexRow {
  /** Within the store. */
  readonly path: string;
  readonly id: string;
  /** Left out of the work tree on purpose, as in a sparse checkout. */
  readonly isSkipped: boolean;
  /** In conflict after a merge or stash of plain git. */
  readonly isUnmerged: boolean;
}

export async function readIndex({ top, prefix }: SyncRepository): Promise<IndexRow[]> {
  const { stdout } = await mustGit(["ls-files", "-z", "-t", "-s", "--", `${prefix}/`], { cwd: top });
  return stdout
    .toString("utf8")
    .split("\0")
    .flatMap((row) => {
      const match = /^(\S) \d+ ([0-9a-f]+) (\d)\t(.*)$/s.exec(row);
      if (match === null) return [];
      const [, tag, id = "", stage, path = ""] = match;
      return [{ path: path.slice(prefix.length + 1), id, isSkipped: tag === "S", isUnmerged: stage !== "0" }];
    });
}

export const shortBranch = ({ branch }: Pick<SyncRepository, "branch">): string =>
  branch.replace(/^refs\/heads\//, "");

/** The remote branch, for messages: `origin/main`. */
export const remoteBranchName = ({ remote, branch }: SyncRepository): string =>
  `${remote?.name ?? "remote"}/${shortBranch(remote ?? { branch })}`;

/** How git writes "no object": all zeros. */
export const noObject = ({ objectFormat }: SyncRepository): string =>
  "0".repeat(objectFormat === "sha1" ? 40 : 64);

/** How many commits only we have, and how many only the remote has. */
export async function aheadBehind(
  top: string,
  ours: string,
  theirs: string,
): Promise<{ ahead: number; behind: number }> {
  const counts = await askGit(["rev-list", "--left-right", "--count", `${ours}...${theirs}`], { cwd: top });
  const [ahead = 0, behind = 0] = (counts ?? "").trim().split(/\s+/).map(Number);
  return { ahead, behind };
}

/** Runs git. If it fails, throws its message. */
export async function mustGit(...[args, options]: Parameters<typeof runGit>): Promise<GitResult> {
  const result = await runGit(args, options);
  if (result.code === 0) return result;
  throw isIndexHeld(result.stderr) ? indexHeld() : refused(`git ${args[0]}: ${firstLines(result.stderr)}`);
}

export const isIndexHeld = (stderr: string): boolean => /index\.lock'?: File exists/.test(stderr);
export const indexHeld = () =>
  new DomainError("busy", "Another git program holds this repository's index. Sync again when it is done.");

export const refused = (message: string, details: Readonly<Record<string, unknown>> = {}) =>
  new DomainError("conflict", message, { details });

export const firstLines = (text: string): string =>
  text
    .trim()
    .split("\n")
    .slice(0, 4)
    // The address of a remote may contain a password.
    .map((line) => line.replaceAll(/\/\/[^/@\s]+@/g, "//"))
    .join(" ");

/** At most five names, then how many more there are. */
export function listed(paths: readonly string[]): string {
  const named = paths.slice(0, MAX_NAMES).join(", ");
  return paths.length > MAX_NAMES ? `${named} and ${paths.length - MAX_NAMES} more` : named;
}
const MAX_NAMES = 5;

function requireNothingInProgress(gitDirectory: string): void {
  for (const [file, what] of Object.entries(IN_PROGRESS)) {
    if (existsSync(join(gitDirectory, file)))
      throw refused(`The repository is in the middle of ${what}. Finish or abort it, then sync again.`);
  }
}
