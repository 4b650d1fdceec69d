import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import { type GitOptions, runGit } from "../../../core/git/git.ts";

interface Mirror {
  /** The last commit of the branch. */
  readonly commit: string;
  /** Makes the work tree that of the commit; returns its directory. */
  checkOut(): Promise<string>;
}
interface MirroredProject {
  readonly url: string;
  /** `null`: the remote's default branch. */
  readonly branch: string | null;
}

const FETCH_MS = 1_800_000;
const CHECKOUT_MS = 600_000;
const SERVED = "refs/heads/served";

/** Fetches a branch into a bare mirror in `directory`. The work tree is beside it. Nothing of the repository is run. */
export async function updateMirror(
  { url, branch }: MirroredProject,
  directory: string,
  signal: AbortSignal,
): Promise<Mirror> {
  const [bare, tree] = [join(directory, "mirror.git"), join(directory, "tree")];
  await mkdir(bare, { recursive: true, mode: 0o700 });
  const inMirror: GitOptions = { cwd: bare, env: { GIT_DIR: bare }, signal };
  if (!existsSync(join(bare, "HEAD")))
    await git(["init", "--quiet", "--bare", "--template=", bare], inMirror);
  const from = branch === null ? "HEAD" : `refs/heads/${branch}`;
  const fetch = ["fetch", "--quiet", "--no-tags", "--force", "--end-of-options", url, `+${from}:${SERVED}`];
  await git(fetch, { ...inMirror, network: true, timeoutMs: FETCH_MS });
  const commit = (await git(["rev-parse", "--verify", SERVED], inMirror)).trim();
  return {
    commit,
    async checkOut() {
      await checkOut(commit, { bare, tree, inMirror });
      return tree;
    },
  };
}

interface CheckoutPlace {
  readonly bare: string;
  readonly tree: string;
  readonly inMirror: GitOptions;
}

/** A killed checkout leaves a tree that is half old and a lock: it is made again. */
async function checkOut(commit: string, { bare, tree, inMirror }: CheckoutPlace): Promise<void> {
  const inTree: GitOptions = { ...inMirror, cwd: tree, env: {}, timeoutMs: CHECKOUT_MS };
  if (existsSync(join(tree, ".git")) && (await haveSameAttributes(commit, inTree))) {
    await rm(join(bare, "worktrees", "tree", "index.lock"), { force: true });
    // Publishing gave files the times of their contents. A forced checkout writes every file anew whose time git does not know.
    await runGit(["update-index", "-q", "--refresh"], inTree);
    const { code } = await runGit(["checkout", "--quiet", "--force", "--detach", commit], inTree);
    const isClean = code === 0 && (await runGit(["clean", "-ffdxq"], inTree)).code === 0;
    if (isClean) return;
  }
  await rm(tree, { recursive: true, force: true });
  await git(["worktree", "prune"], inMirror);
  await git(["worktree", "add", "--quiet", "--force", "--detach", tree, commit], {
    ...inMirror,
    timeoutMs: CHECKOUT_MS,
  });
}

/** Attributes decide how every file is written, and git does not write those again that are the same in both commits. */
async function haveSameAttributes(commit: string, inTree: GitOptions): Promise<boolean> {
  const { code, stdout } = await runGit(["diff", "--name-only", "-z", "HEAD", commit], inTree);
  return code === 0 && !/(^|[\0/])\.gitattributes\0/.test(stdout.toString("utf8"));
}

async function git(args: readonly string[], options: GitOptions): Promise<string> {
  const { code, stdout, stderr } = await runGit(args, options);
  if (code === 0) return stdout.toString("utf8");
  const lines = stderr.trim().split("\n");
  const why = lines.find((line) => line.startsWith("fatal:")) ?? lines[0] ?? "";
  throw new DomainError("unavailable", `git ${args[0]} failed: ${why.slice(0, 300)}`, { reason: "git" });
}
