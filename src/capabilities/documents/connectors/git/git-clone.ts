import { mkdir } from "node:fs/promises";
import { DomainError } from "../../../../core/errors.ts";
import { type GitOptions, runGit } from "../../../../core/git/git.ts";
import { complaintOf, type GitRemote } from "./git-remote.ts";

/** A bare clone of ours: nothing is checked out, so nothing of it can run. */
export interface Clone {
  readonly remote: GitRemote;
  readonly directory: string;
  /** How git is run in it. */
  readonly git: GitOptions;
}

/** The commit a branch stands at. */
export interface Tip {
  readonly commit: string;
  /** Seconds since 1970. */
  readonly time: number;
}

const FETCH_DEADLINE_MS = 600_000;

export const openClone = (remote: GitRemote, directory: string, signal: AbortSignal): Clone => ({
  remote,
  directory,
  git: { cwd: directory, signal, env: { GIT_DIR: directory } },
});

/** Brings the branch up to date; `withContents`, or else commits and trees only. */
export async function fetchBranch(clone: Clone, withContents: boolean): Promise<Tip> {
  const { remote, directory } = clone;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await runIn(clone, ["init", "--quiet", "--bare", directory]);
  // Named, so that contents left out now can be asked of it later.
  await runIn(clone, ["config", "remote.origin.url", remote.url]);
  const ref = `refs/heads/${remote.branch}`;
  const filter = withContents ? [] : ["--filter=blob:none"];
  await fetchInto(clone, ["--force", ...filter, "origin", `+${ref}:${ref}`]);
  const told = await runIn(clone, ["log", "-1", "--format=%H %ct", "--end-of-options", ref]);
  const [commit = "", time] = told.toString("utf8").trim().split(" ");
  return { commit, time: Number(time) };
}

/** Brings contents that `fetchBranch` left out. */
export async function fetchBlobs(clone: Clone, oids: readonly string[]): Promise<void> {
  // We have the commits that name them, so a negotiation would come to the end that we have the contents too.
  await runIn(clone, ["config", "fetch.negotiationAlgorithm", "noop"]);
  try {
    const flags = ["--no-write-fetch-head", "--recurse-submodules=no", "--filter=blob:none"];
    await fetchInto(clone, [...flags, "--stdin", "origin"], oids.map((oid) => `${oid}\n`).join(""));
  } finally {
    await runIn(clone, ["config", "--unset-all", "fetch.negotiationAlgorithm"]);
  }
}

const fetchInto = (clone: Clone, args: readonly string[], input = "") =>
  runIn(clone, ["fetch", "--quiet", "--no-tags", ...args], {
    network: true,
    timeoutMs: FETCH_DEADLINE_MS,
    input,
  });

/** What git printed; what it complains about is `unavailable`. */
export async function runIn(
  { remote, git }: Clone,
  args: readonly string[],
  more: Partial<GitOptions> = {},
): Promise<Buffer> {
  const { code, stdout, stderr } = await runGit(args, { ...git, ...more });
  if (code === 0) return stdout;
  throw new DomainError("unavailable", `${remote.label}: ${complaintOf(stderr, remote) || "git failed"}`);
}
