import { parse, posix } from "node:path";
import { DomainError } from "../../../../core/errors.ts";
import { runGit } from "../../../../core/git/git.ts";
import type { Health } from "../connector.ts";
import { withoutCredentials } from "./git-links.ts";

/** The repository that a connector reads. */
export interface GitRemote {
  readonly label: string;
  readonly branch: string;
  /** For git: with credentials, and the whole path for a repository on this disk. */
  readonly url: string;
  /** For people: without credentials. */
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
/** Outside any repository, so that no repository's configuration applies. */
export const OUTSIDE = parse(process.cwd()).root;

/** Refuses addresses that git would read as options or as helpers that run programs. */
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

/** How a clone shows a token to one site, and to no other: git follows no redirect. */
export function cloneSettings(
  site: string,
  token: string | undefined,
): readonly (readonly [string, string])[] {
  const login = Buffer.from(`x-access-token:${token}`).toString("base64");
  const header = [`http.${site}/.extraHeader`, `Authorization: Basic ${login}`] as const;
  return [["http.followRedirects", "false"], ...(token === undefined ? [] : [header])];
}

/** Whether the branch can be fetched now. */
export async function checkRemote(remote: GitRemote, signal: AbortSignal): Promise<Health> {
  const { url, branch, shown } = remote;
  try {
    const args = ["ls-remote", "--exit-code", "--heads", "--", url, `refs/heads/${branch}`];
    const network = { cwd: OUTSIDE, network: true, signal, timeoutMs: CHECK_DEADLINE_MS };
    const { code, stderr } = await runGit(args, network);
    if (code === 0) return { healthy: true, notes: `repo: ${shown}` };
    const why = code === 2 ? `no branch ${branch}` : gitErrorOf(stderr, remote);
    return { healthy: false, notes: `${shown}: ${why}` };
  } catch (thrown) {
    return { healthy: false, notes: thrown instanceof DomainError ? thrown.message : "git failed" };
  }
}

/** The first `fatal:` line of git; the lines after it are advice, those before it come from the server. */
export function gitErrorOf(stderr: string, { url, shown }: GitRemote): string {
  const lines = stderr.trim().split("\n");
  const error = lines.find((line) => line.startsWith("fatal:")) ?? lines[0] ?? "";
  return error.replaceAll(url, shown).slice(0, 200);
}
