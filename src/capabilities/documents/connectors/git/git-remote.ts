import { parse, posix } from "node:path";
import { DomainError } from "../../../../core/errors.ts";
import { runGit } from "../../../../core/git/git.ts";
import type { Health } from "../connector.ts";
import { withoutCredentials } from "./git-links.ts";

/** The repository that a connector reads. */
export interface GitRemote {
  readonly label: string;
  readonly branch: string;
  /** As git is told it: with credentials, and for a repository on this disk the whole path. */
  readonly url: string;
  /** As people are told it. */
  readonly shown: string;
}

interface GitRemoteOptions {
  readonly label: string;
  /** As configured; a path is relative to the project. */
  readonly url: string;
  readonly branch: string;
  readonly project: string;
}

const CHECK_DEADLINE_MS = 10_000;
/** Asked from here, no repository's own configuration has a say. */
const OUTSIDE = parse(process.cwd()).root;

/** Options of git and its helpers that run programs are refused before git sees them. */
export function remoteOf({ label, url, branch, project }: GitRemoteOptions): GitRemote {
  const isPlain = /^(https?|ssh|file):\/\/[^-]/i.test(url) || /^[\w.-]+@[\w.-]+:(?!:)/.test(url);
  const isPath = /^(\.{0,2}\/|[A-Za-z]:[\\/])/.test(url);
  if (!isPlain && !isPath) {
    throw new DomainError("invalid_input", `${label}: not an address git may fetch from`, {
      reason: "not_configured",
    });
  }
  if (branch === "" || branch.startsWith("-") || /[\s:^~?*[\\]|\.\./.test(branch)) {
    throw new DomainError("invalid_input", `${label}: not a branch: ${branch}`, { reason: "not_configured" });
  }
  return { label, branch, url: isPath ? posix.resolve(project, url) : url, shown: withoutCredentials(url) };
}

/** Whether the branch can be fetched now. */
export async function checkRemote(remote: GitRemote, signal: AbortSignal): Promise<Health> {
  const { url, branch, shown } = remote;
  try {
    const args = ["ls-remote", "--exit-code", "--heads", "--", url, `refs/heads/${branch}`];
    const network = { cwd: OUTSIDE, network: true, signal, timeoutMs: CHECK_DEADLINE_MS };
    const { code, stderr } = await runGit(args, network);
    if (code === 0) return { healthy: true, notes: `repo: ${shown}` };
    const why = code === 2 ? `no branch ${branch}` : complaintOf(stderr, remote);
    return { healthy: false, notes: `${shown}: ${why}` };
  } catch (thrown) {
    return { healthy: false, notes: thrown instanceof DomainError ? thrown.message : "git failed" };
  }
}

/** What git says went wrong: its first `fatal:` line; advice follows it, and what the server said stands before. */
export function complaintOf(stderr: string, { url, shown }: GitRemote): string {
  const lines = stderr.trim().split("\n");
  const complaint = lines.find((line) => line.startsWith("fatal:")) ?? lines[0] ?? "";
  return complaint.replaceAll(url, shown).slice(0, 200);
}
