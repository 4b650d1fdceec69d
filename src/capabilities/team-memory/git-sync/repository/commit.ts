import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { askGit, runGit } from "../../../../core/git/git.ts";
import type { FileIds } from "../../merge/store-merge.ts";
import {
  firstLines,
  indexHeld,
  isIndexHeld,
  mustGit,
  noObject,
  readIndex,
  refused,
  type SyncRepository,
} from "./repository.ts";

interface CommitParts {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** The author if git has no identity. */
  readonly actor: string;
}
export interface CreatedCommit {
  readonly id: string;
  readonly warnings: readonly string[];
}

/** Creates a commit object. No branch moves, no hook runs, nothing is signed. */
export async function createCommit(
  { top }: SyncRepository,
  { tree, parents, message, actor }: CommitParts,
): Promise<CreatedCommit> {
  const given = identityOf(process.env);
  const hasIdentity = await knowsIdentity(top, given);
  // Without a host, if the caller gave one.
  const name = actor.replace(/@.*$/s, "").replaceAll(/[<>\n]/g, "");
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
    warnings: hasIdentity ? [] : [`git has no identity here; committed as ${name}`],
  };
}

/** The identity from the environment. No other GIT_* variable reaches git, and none of these can run a program. */
const identityOf = (environment: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value && /^GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)$/.test(name) ? [[name, value]] : [],
    ),
  );

/** Only an identity that somebody set. Git would otherwise invent one from the name of the machine. */
async function knowsIdentity(top: string, given: Record<string, string>): Promise<boolean> {
  const options = { cwd: top, network: true, env: given };
  const [whole, configured] = await Promise.all([
    askGit(["var", "GIT_COMMITTER_IDENT"], options),
    askGit(["config", "--get-regexp", "^(user|author|committer)\\.email$"], options),
  ]);
  const email = configured ?? given["GIT_COMMITTER_EMAIL"] ?? process.env["EMAIL"];
  return whole !== undefined && email !== undefined;
}

/** Moves the branch if nobody else has moved it. */
export async function moveBranch(repository: SyncRepository, commit: string, reason: string): Promise<void> {
  const { top, branch, head } = repository;
  const expected = head ?? noObject(repository);
  const { code, stderr } = await runGit(
    ["update-ref", "-m", `contextful: ${reason}`, branch, commit, expected],
    { cwd: top, network: true },
  );
  if (code !== 0)
    throw refused(`The branch moved while syncing; nothing was lost. Sync again. (${firstLines(stderr)})`);
}

const MAX_TRIES = 20;

/** Waits up to a second while another git command holds the index, then gives up before anything has changed. */
export async function waitForIndex({ gitDirectory, onOwnBranch }: SyncRepository): Promise<void> {
  if (onOwnBranch) return;
  for (let attempt = 1; existsSync(join(gitDirectory, "index.lock")); attempt++) {
    if (attempt >= MAX_TRIES) throw indexHeld();
    await pause(50);
  }
}

/** Updates the user's index to the new commit, for the store's files only. */
export async function updateIndex(repository: SyncRepository, after: FileIds): Promise<void> {
  if (repository.onOwnBranch) return;
  const { top, prefix } = repository;
  const before = new Map((await readIndex(repository)).map(({ path, id }) => [path, id]));
  const zero = noObject(repository);
  const removed = [...before.keys()]
    .filter((path) => !after.has(path))
    .map((path) => `0 ${zero}\t${prefix}/${path}\0`);
  const written = [...after]
    .filter(([path, id]) => before.get(path) !== id)
    .map(([path, id]) => `100644 ${id}\t${prefix}/${path}\0`);
  const input = [...removed, ...written].join("");
  if (input === "") return;
  for (let attempt = 1; ; attempt++) {
    const { code, stderr } = await runGit(["update-index", "-z", "--index-info"], { cwd: top, input });
    if (code === 0) return;
    if (!isIndexHeld(stderr)) throw refused(`git update-index: ${firstLines(stderr)}`);
    if (attempt >= MAX_TRIES) throw indexHeld();
    await pause(50);
  }
}
