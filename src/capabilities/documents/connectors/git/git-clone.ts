import { mkdir } from "node:fs/promises";
import { DomainError } from "../../../../core/errors.ts";
import { type GitOptions, runGit } from "../../../../core/git/git.ts";
import { sha256 } from "../../../../core/hash.ts";
import { type GitRemote, gitErrorOf } from "./git-remote.ts";

/** Our bare clone: nothing is checked out, so nothing in it can run. */
export interface Clone {
  readonly remote: GitRemote;
  readonly directory: string;
  /** How to run git in it. */
  readonly git: GitOptions;
}

/** The last commit of a branch. */
export interface Tip {
  readonly commit: string;
  /** Seconds since 1970. */
  readonly time: number;
}

const FETCH_DEADLINE_MS = 600_000;

/** The directory name of a clone: connectors with the same address share it. */
export const cloneName = ({ url, shallow }: { readonly url: string; readonly shallow: boolean }): string =>
  `${sha256(url).slice(0, 12)}${shallow ? "-shallow" : ""}.git`;

export const openClone = (
  remote: GitRemote,
  directory: string,
  more: Pick<GitOptions, "signal" | "settings">,
): Clone => ({ remote, directory, git: { cwd: directory, env: { GIT_DIR: directory }, ...more } });

/** Fetches the branch; without `withContents` only commits and trees. */
export async function fetchBranch(clone: Clone, withContents: boolean): Promise<Tip> {
  const { remote, directory } = clone;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await runIn(clone, ["init", "--quiet", "--bare", directory]);
  // A named remote, so that missing contents can be fetched later.
  await runIn(clone, ["config", "remote.origin.url", remote.url]);
  const ref = `refs/heads/${remote.branch}`;
  const filter = withContents ? [] : ["--filter=blob:none"];
  await fetchInto(clone, ["--force", ...filter, "origin", `+${ref}:${ref}`]);
  const output = await runIn(clone, ["log", "-1", "--format=%H %ct", "--end-of-options", ref]);
  const [commit = "", time] = output.toString("utf8").trim().split(" ");
  return { commit, time: Number(time) };
}

/** Fetches contents that `fetchBranch` left out. */
export async function fetchBlobs(clone: Clone, oids: readonly string[]): Promise<void> {
  // We have the commits, so the negotiation would conclude that we have the contents too.
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

/** The output of git; a failure is `unavailable`. */
export async function runIn(
  { remote, git }: Clone,
  args: readonly string[],
  more: Partial<GitOptions> = {},
): Promise<Buffer> {
  const { code, stdout, stderr } = await runGit(args, { ...git, ...more });
  if (code === 0) return stdout;
  throw new DomainError("unavailable", `${remote.label}: ${gitErrorOf(stderr, remote) || "git failed"}`);
}
