import { setTimeout as pause } from "node:timers/promises";
import { askGit, runGit } from "../../../core/git/git.ts";
import type { FileIds } from "../merge/store-merge.ts";
import { firstLines, isIndexHeld, mustGit, noObject, type Repository, refused } from "./repository.ts";

export interface CommitParts {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** Who commits where git knows no identity. */
  readonly actor: string;
}
export interface MadeCommit {
  readonly id: string;
  readonly warnings: readonly string[];
}

/** Makes a commit object; no branch moves, no hook runs, nothing is signed. */
export async function makeCommit(
  { top }: Repository,
  { tree, parents, message, actor }: CommitParts,
): Promise<MadeCommit> {
  const hasIdentity = await knowsIdentity(top);
  const name = actor.replaceAll(/[<>\n]/g, "");
  const identity = {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: "agent@contextful.invalid",
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: "agent@contextful.invalid",
  };
  const { stdout } = await mustGit(
    ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-F", "-"],
    {
      cwd: top,
      network: true,
      input: message,
      ...(!hasIdentity && { env: identity }),
    },
  );
  return {
    id: stdout.toString("utf8").trim(),
    warnings: hasIdentity ? [] : [`git knows no identity here; committed as ${name}`],
  };
}

/** Only what somebody set: a name that git makes up from the machine's is nobody's. */
async function knowsIdentity(top: string): Promise<boolean> {
  const options = { cwd: top, network: true };
  const [whole, email] = await Promise.all([
    askGit(["var", "GIT_COMMITTER_IDENT"], options),
    askGit(["config", "--get-regexp", "^(user|author|committer)\\.email$"], options),
  ]);
  return whole !== undefined && email !== undefined;
}

/** Moves the branch, if it is still where we found it. */
export async function moveBranch(repository: Repository, commit: string, reason: string): Promise<void> {
  const { top, branch, head } = repository;
  const expected = head ?? noObject(repository);
  const { code, stderr } = await runGit(
    ["update-ref", "-m", `contextful: ${reason}`, branch, commit, expected],
    { cwd: top, network: true },
  );
  if (code !== 0)
    throw refused(`The branch moved while syncing; nothing was lost. Sync again. (${firstLines(stderr)})`);
}

const TRIES = 20;

/** Makes the user's index agree with the new commit for the store's files, and for no other. */
export async function updateIndex(repository: Repository, after: FileIds): Promise<readonly string[]> {
  if (repository.isApart) return [];
  const { top, prefix } = repository;
  const before = await indexedFiles(repository);
  const zero = noObject(repository);
  const gone = [...before.keys()]
    .filter((path) => !after.has(path))
    .map((path) => `0 ${zero}\t${prefix}/${path}\0`);
  const present = [...after]
    .filter(([path, id]) => before.get(path) !== id)
    .map(([path, id]) => `100644 ${id}\t${prefix}/${path}\0`);
  const input = [...gone, ...present].join("");
  if (input === "") return [];
  for (let attempt = 1; ; attempt++) {
    const { code, stderr } = await runGit(["update-index", "-z", "--index-info"], { cwd: top, input });
    if (code === 0) return [];
    if (!isIndexHeld(stderr) || attempt >= TRIES) {
      return [`git's index is held by another program; run \`git reset -- ${prefix}\` when it is done`];
    }
    // Another git command of the user's holds the index; it will be done in a moment.
    await pause(50);
  }
}

async function indexedFiles({ top, prefix }: Repository): Promise<FileIds> {
  const { stdout } = await mustGit(["ls-files", "-z", "-s", "--", `${prefix}/`], { cwd: top });
  const rows = stdout.toString("utf8").split("\0");
  return new Map(
    rows.flatMap((row) => {
      const match = /^\d+ ([0-9a-f]+) \d\t(.*)$/s.exec(row);
      return match ? [[(match[2] ?? "").slice(prefix.length + 1), match[1] ?? ""] as const] : [];
    }),
  );
}
