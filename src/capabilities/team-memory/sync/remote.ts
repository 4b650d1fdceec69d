import { runGit } from "../../../core/git/git.ts";
import { commitAt, firstLines, type Repository, refused, shortBranch } from "./repository.ts";
import type { Remote } from "./settings.ts";

const TIMEOUT_MS = 60_000;

/** Brings what the remote has of our branch; `undefined` where the remote has no such branch. */
export async function fetchBranch(
  repository: Repository,
  remote: Remote,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { top, branch } = repository;
  const spec = `+${branch}:${remote.trackingRef}`;
  const { code, stderr } = await runGit(
    ["fetch", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--", remote.url, spec],
    { cwd: top, network: true, timeoutMs: TIMEOUT_MS, signal },
  );
  if (code === 0) return commitAt(top, remote.trackingRef);
  if (/couldn't find remote ref/i.test(stderr)) {
    // The branch is gone there: to remember it would be to believe that it holds our commits.
    await runGit(["update-ref", "-d", remote.trackingRef], { cwd: top });
    return undefined;
  }
  throw refused(`Could not fetch ${shortBranch(repository)} from ${remote.name}: ${firstLines(stderr)}`);
}

export type PushOutcome =
  | { readonly isPushed: true }
  | { readonly isPushed: false; readonly isRejected: boolean; readonly error: string };

/** Sends a commit, and believes only what the remote itself says it now has. */
export async function pushCommit(
  { top, branch }: Repository,
  remote: Remote,
  { commit, signal }: { commit: string; signal: AbortSignal },
): Promise<PushOutcome> {
  const options = { cwd: top, network: true, timeoutMs: TIMEOUT_MS, signal };
  const { code, stdout, stderr } = await runGit(
    ["push", "--porcelain", "--no-follow-tags", "--", remote.pushUrl, `${commit}:${branch}`],
    options,
  );
  if (code !== 0) {
    const answer = `${stdout.toString("utf8")}\n${stderr}`;
    return {
      isPushed: false,
      isRejected: /\[rejected\]|non-fast-forward|fetch first/.test(answer),
      error: firstLines(stderr) || "the remote refused",
    };
  }
  const listed = await runGit(["ls-remote", "--", remote.pushUrl, branch], options);
  if (!listed.stdout.toString("utf8").split("\n").includes(`${commit}\t${branch}`)) {
    return { isPushed: false, isRejected: true, error: "the remote's branch is not at our commit" };
  }
  await runGit(["update-ref", remote.trackingRef, commit], { cwd: top });
  return { isPushed: true };
}
