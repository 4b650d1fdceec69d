import { DomainError } from "../errors.ts";
import { askGit, type GitOptions } from "./git.ts";

/** Resolves an untrusted revision to its commit; `undefined` if there is none. */
export async function commitOf(revision: string, git: GitOptions): Promise<string | undefined> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${safeRevision(revision)}^{commit}`];
  return (await askGit(args, git))?.trim();
}

/** Checks an untrusted revision before it is passed to git: one that looks like an option is refused. */
export function safeRevision(revision: string): string {
  if (/^[^-\s\0][^\s\0]*$/.test(revision) && revision.length <= 1000) return revision;
  throw new DomainError("invalid_input", `Not a revision: ${revision.slice(0, 100)}`, {
    reason: "invalid_ref",
  });
}
