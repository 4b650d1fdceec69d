import { DomainError } from "../errors.ts";
import { askGit, type GitOptions } from "./git.ts";

/** The commit that a revision from outside names; `undefined` where there is none here. */
export async function commitOf(revision: string, git: GitOptions): Promise<string | undefined> {
  const asked = [
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${safeRevision(revision)}^{commit}`,
  ];
  return (await askGit(asked, git))?.trim();
}

/** A revision from outside, safe to pass on: one that reads as an option is refused. */
export function safeRevision(revision: string): string {
  if (/^[^-\s\0][^\s\0]*$/.test(revision) && revision.length <= 1000) return revision;
  throw new DomainError("invalid_input", `Not a revision: ${revision.slice(0, 100)}`, {
    reason: "invalid_ref",
  });
}
