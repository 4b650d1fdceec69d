import { existsSync, rmSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { openCodeIndex, type PublishClone } from "../../capabilities/code-index/index.ts";
import { openDirectoryContexts } from "../../capabilities/directory-contexts/index.ts";
import { publishDocuments } from "../../capabilities/documents/index.ts";
import type { ProjectRooms } from "../../capabilities/team/index.ts";
import { DomainError } from "../../core/errors.ts";
import { allowRoots } from "../../core/files/allowed-roots.ts";
import { askGit, type GitOptions } from "../../core/git/git.ts";
import { projectDataDirectory } from "../../core/home.ts";
import type { Machine } from "../../core/machine.ts";
import { followGeneration } from "../../core/replica/follow.ts";
import { allEnded, publishFile } from "../../core/replica/publish.ts";
import type { PublishedCommit, Replica } from "../../core/replica/replica.ts";
import { copyDatabase } from "../../core/store/copy-database.ts";
import type { Store } from "../../core/store/store.ts";
import {
  openTreeFile,
  setTreeFact,
  TREE_KIND,
  treeRows,
  updateTreeFile,
} from "../../core/tree-file/tree-file.ts";
import { CONTENT_CHANGES } from "./extracted-rooms.ts";

const CHECKOUT_MS = 600_000;

/** Publishes the index of a worker's checkout, and beside it its files and documents. */
export function openPublisher(machine: Machine, url: string): ReturnType<ProjectRooms["publisher"]> {
  // A worker that has not seen a project starts from what the team has of it.
  const config = async () => ({ ...(await machine.config()), team: { url } });
  const code = openCodeIndex({ ...machine, config });
  return {
    publish: (path, replica, options, call) => {
      const beside = (about: PublishedCommit) =>
        publishCheckout(machine, { root: path, replica, about, isRepair: false }, call);
      return code.publishCode(path, replica, { ...options, beside }, call);
    },
    [Symbol.asyncDispose]: code.close,
  };
}

/**
 * The same for a clone of somebody's. It is done in a checkout of our own: files get the times of their contents there, and
 * the documents that the user has configured are not the project's.
 */
export const publishClone =
  (machine: Machine): PublishClone =>
  async ({ root, ...published }, call) => {
    const { signal } = call;
    const checkout = join(projectDataDirectory(machine.home, root), "publish-checkout");
    try {
      const part = await checkOut(published.about.commit, { root, checkout, signal });
      await publishCheckout(machine, { ...published, root: part }, call);
    } finally {
      await rm(checkout, { recursive: true, force: true });
    }
  };

interface CheckoutPlaces {
  readonly root: string;
  readonly checkout: string;
  readonly signal: AbortSignal;
}

/** Objects are read where they are; nothing is written to the clone. Returns where its root is in the checkout. */
async function checkOut(commit: string, { root, checkout, signal }: CheckoutPlaces): Promise<string> {
  const asked = ["rev-parse", "--path-format=absolute", "--git-path", "objects", "--show-prefix"];
  const [objects = "", prefix = ""] = (await git(asked, { cwd: root, signal })).split("\n");
  await rm(checkout, { recursive: true, force: true });
  await mkdir(checkout, { recursive: true, mode: 0o700 });
  const here: GitOptions = { cwd: checkout, signal, timeoutMs: CHECKOUT_MS };
  await git(
    ["init", "--quiet", "--template=", ...(commit.length > 40 ? ["--object-format=sha256"] : [])],
    here,
  );
  await mkdir(join(checkout, ".git", "objects", "info"), { recursive: true });
  await writeFile(join(checkout, ".git", "objects", "info", "alternates"), `${objects}\n`);
  await git(["checkout", "--quiet", "--force", "--detach", commit], here);
  return join(checkout, prefix);
}

async function git(args: readonly string[], options: GitOptions): Promise<string> {
  const text = await askGit(args, options);
  if (text === undefined)
    throw new DomainError("unavailable", `git ${args[0]} failed in a checkout of this commit.`, {
      reason: "git",
    });
  return text;
}

type PublishedFiles = Parameters<PublishClone>[0];

async function publishCheckout(
  machine: Machine,
  published: PublishedFiles,
  call: Parameters<PublishClone>[1],
): Promise<void> {
  const { root } = published;
  const project = { ...machine, root, roots: allowRoots(root, [root]) };
  await allEnded(publishTree(project, published, call.signal), publishDocuments(project, published, call));
}

async function publishTree(
  machine: Machine,
  { replica, about, isRepair }: PublishedFiles,
  signal: AbortSignal,
) {
  const { home, root } = machine;
  const directory = projectDataDirectory(home, root);
  const [file, copy] = [join(directory, "tree.sqlite"), join(directory, "tree-publish.sqlite")];
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // What is to be repaired cannot be followed.
  if (!existsSync(file) && !isRepair) await startFromPublished(file, replica, about, signal);
  using store = await openTreeFile(file, { readOnly: false });
  await updateTreeFile(store, root, signal);
  setTreeFact(store, CONTENT_CHANGES, await contentChanges(machine, store, signal));
  try {
    await copyDatabase(store, copy);
    await publishFile(copy, { ...about, kind: TREE_KIND }, replica, { isRepair, signal });
  } finally {
    rmSync(copy, { force: true });
  }
}

/** By scope: whether the content of a directory has changed since its context was written. Servers have no history. */
async function contentChanges(machine: Machine, store: Store, signal: AbortSignal) {
  const files = treeRows(store).flatMap(({ path }) => (basename(path) === ".context.yaml" ? [path] : []));
  const found = await openDirectoryContexts(machine).summariesAbove(files, { signal });
  return Object.fromEntries(
    found.flatMap(({ scope, contentChanged }) =>
      contentChanged === undefined ? [] : [[scope, contentChanged]],
    ),
  );
}

/** So that the times of files, and most blocks, are those that another worker published. */
async function startFromPublished(
  file: string,
  replica: Replica,
  { project }: PublishedCommit,
  signal: AbortSignal,
) {
  const [newest] = await replica.registry.generations(project, TREE_KIND);
  if (newest === undefined) return;
  const directory = `${file}-start`;
  try {
    const followed = await followGeneration(newest, directory, replica, { signal });
    await rename(followed.file, file);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
