import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { askGit, runGit } from "../../../../core/git/git.ts";
import type { FileIds } from "../../merge/store-merge.ts";
import { indexRows } from "./index-rows.ts";
import {
  firstLines,
  indexHeld,
  isIndexHeld,
  mustGit,
  noObject,
  type Repository,
  refused,
} from "./repository.ts";

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
  const given = identityOf(process.env);
  const hasIdentity = await knowsIdentity(top, given);
  const name = actor.replaceAll(/[<>\n]/g, "");
  const agent = {
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
      env: hasIdentity ? given : agent,
    },
  );
  return {
    id: stdout.toString("utf8").trim(),
    warnings: hasIdentity ? [] : [`git knows no identity here; committed as ${name}`],
  };
}

/** Who the environment says commits. Nothing else named GIT_* reaches git, and nothing of this can run a program. */
const identityOf = (environment: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value && /^GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)$/.test(name) ? [[name, value]] : [],
    ),
  );

/** Only what somebody set: a name that git makes up from the machine's is nobody's. */
async function knowsIdentity(top: string, given: Record<string, string>): Promise<boolean> {
  const options = { cwd: top, network: true, env: given };
  const [whole, configured] = await Promise.all([
    askGit(["var", "GIT_COMMITTER_IDENT"], options),
    askGit(["config", "--get-regexp", "^(user|author|committer)\\.email$"], options),
  ]);
  const email = configured ?? given["GIT_COMMITTER_EMAIL"] ?? process.env["EMAIL"];
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

/** Waits a moment for a git command of the user's that holds the index; beyond that nothing is begun. */
export async function awaitIndex({ gitDirectory, isApart }: Repository): Promise<void> {
  if (isApart) return;
  for (let attempt = 1; existsSync(join(gitDirectory, "index.lock")); attempt++) {
    if (attempt >= TRIES) throw indexHeld();
    await pause(50);
  }
}

/** Makes the user's index agree with the new commit for the store's files, and for no other. */
export async function updateIndex(repository: Repository, after: FileIds): Promise<void> {
  if (repository.isApart) return;
  const { top, prefix } = repository;
  const before = new Map((await indexRows(repository)).map(({ path, id }) => [path, id]));
  const zero = noObject(repository);
  const gone = [...before.keys()]
    .filter((path) => !after.has(path))
    .map((path) => `0 ${zero}\t${prefix}/${path}\0`);
  const present = [...after]
    .filter(([path, id]) => before.get(path) !== id)
    .map(([path, id]) => `100644 ${id}\t${prefix}/${path}\0`);
  const input = [...gone, ...present].join("");
  if (input === "") return;
  for (let attempt = 1; ; attempt++) {
    const { code, stderr } = await runGit(["update-index", "-z", "--index-info"], { cwd: top, input });
    if (code === 0) return;
    if (!isIndexHeld(stderr)) throw refused(`git update-index: ${firstLines(stderr)}`);
    if (attempt >= TRIES) throw indexHeld();
    await pause(50);
  }
}
