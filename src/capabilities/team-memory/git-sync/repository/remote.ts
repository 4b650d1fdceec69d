import { commitOf } from "../../../../core/git/commit.ts";
import { runGit } from "../../../../core/git/git.ts";
import { firstLines, refused, type SyncRepository, shortBranch } from "./repository.ts";
import type { SyncRemote } from "./settings.ts";

const TIMEOUT_MS = 60_000;
/** How git says that a remote accepted the connection and sent nothing. */
const SILENT = /Operation too slow|timed out|Timeout, server .* not responding/i;

/** How long a call to a remote may take. */
interface RemoteLimits {
  readonly signal: AbortSignal;
  /** Default: as all git calls. */
  readonly silentSeconds?: number | undefined;
}

/** Fetches our branch from the remote. `undefined`: the remote has no such branch. */
export async function fetchBranch(
  { top }: SyncRepository,
  remote: SyncRemote,
  { signal, silentSeconds }: RemoteLimits,
): Promise<string | undefined> {
  const spec = `+${remote.branch}:${remote.trackingRef}`;
  const { code, stderr } = await runGit(
    ["fetch", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--", remote.url, spec],
    { cwd: top, network: true, timeoutMs: TIMEOUT_MS, signal, ...(silentSeconds && { silentSeconds }) },
  );
  if (code === 0) return commitOf(remote.trackingRef, { cwd: top });
  if (/couldn't find remote ref/i.test(stderr)) {
    // The branch was deleted there. An old tracking ref would claim that it still has our commits.
    await runGit(["update-ref", "-d", remote.trackingRef], { cwd: top });
    return undefined;
  }
  const why = SILENT.test(stderr)
    ? "it does not answer. Nothing was changed; try again later."
    : firstLines(stderr);
  throw refused(`Could not fetch ${shortBranch(remote)} from ${remote.name}: ${why}`);
}

export type PushOutcome =
  | { readonly isPushed: true }
  | { readonly isPushed: false; readonly isRejected: boolean; readonly error: string };

/** The answers of a remote when another push won the race or is in progress. */
const REJECTED =
  /\[rejected\]|\[remote rejected\]|non-fast-forward|fetch first|cannot lock ref|failed to update ref/;

/** Pushes a commit. Trusts only the ref that the remote lists afterwards: another push may have published our commit. */
export async function pushCommit(
  { top }: SyncRepository,
  remote: SyncRemote,
  { commit, signal, silentSeconds }: RemoteLimits & { readonly commit: string },
): Promise<PushOutcome> {
  const { branch, pushUrl, trackingRef } = remote;
  const options = {
    cwd: top,
    network: true,
    timeoutMs: TIMEOUT_MS,
    signal,
    ...(silentSeconds && { silentSeconds }),
  };
  const { code, stdout, stderr } = await runGit(
    ["push", "--porcelain", "--no-follow-tags", "--", pushUrl, `${commit}:${branch}`],
    options,
  );
  const answer = `${stdout.toString("utf8")}\n${stderr}`;
  const isRejected = code === 0 || REJECTED.test(answer);
  if (isRejected) {
    const listed = await runGit(["ls-remote", "--", pushUrl, branch], options);
    if (listed.stdout.toString("utf8").split("\n").includes(`${commit}\t${branch}`)) {
      await runGit(["update-ref", trackingRef, commit], { cwd: top });
      return { isPushed: true };
    }
  }
  const error = SILENT.test(stderr)
    ? `${remote.name} does not answer. The commit is kept; push again later.`
    : code === 0
      ? "the remote's branch is not at our commit"
      : firstLines(stderr);
  return { isPushed: false, isRejected, error: error || "the remote refused" };
}
