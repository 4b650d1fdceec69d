import { existsSync, rmSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { openCodeIndex } from "../../capabilities/code-index/index.ts";
import { openDirectoryContexts } from "../../capabilities/directory-contexts/index.ts";
import { publishDocuments } from "../../capabilities/documents/index.ts";
import type { ProjectRooms } from "../../capabilities/team/index.ts";
import { allowRoots } from "../../core/files/allowed-roots.ts";
import { projectDataDirectory } from "../../core/home.ts";
import type { Machine } from "../../core/machine.ts";
import { followGeneration } from "../../core/replica/follow.ts";
import { publishFile } from "../../core/replica/publish.ts";
import type { Generation, Replica } from "../../core/replica/replica.ts";
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

/** Publishes the index of a clean work tree, and beside it its files and documents. */
export function openPublisher(machine: Machine, url: string): ReturnType<ProjectRooms["publisher"]> {
  // A worker that has not seen a project starts from what the team has of it.
  const config = async () => ({ ...(await machine.config()), team: { url } });
  const code = openCodeIndex({ ...machine, config });
  return {
    async publish(path, replica, options, call) {
      const published = await code.publishCode(path, replica, options, call);
      const { manifest: _manifest, ...about } = published.generation;
      const project = { ...machine, root: path, roots: allowRoots(path, [path]) };
      await publishTree(project, replica, about, call.signal);
      await publishDocuments(project, replica, about, call);
      return published;
    },
    [Symbol.asyncDispose]: code.close,
  };
}

type About = Omit<Generation, "manifest">;

async function publishTree(machine: Machine, replica: Replica, about: About, signal: AbortSignal) {
  const { home, root } = machine;
  const directory = projectDataDirectory(home, root);
  const [file, copy] = [join(directory, "tree.sqlite"), join(directory, "tree-publish.sqlite")];
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) await startFromPublished(file, replica, about, signal);
  using store = await openTreeFile(file, { readOnly: false });
  await updateTreeFile(store, root, signal);
  setTreeFact(store, CONTENT_CHANGES, await contentChanges(machine, store, signal));
  try {
    await copyDatabase(store, copy);
    await publishFile(copy, { ...about, kind: TREE_KIND }, replica, { signal });
  } finally {
    rmSync(copy, { force: true });
  }
}

/** By scope: whether the content of a directory has changed since its context was written. Servers have no history. */
async function contentChanges(machine: Machine, store: Store, signal: AbortSignal) {
  const files = treeRows(store).flatMap(({ path }) => (basename(path) === ".context.yaml" ? [path] : []));
  const found = await openDirectoryContexts(machine).summariesOnTheWay(files, { signal });
  return Object.fromEntries(
    found.flatMap(({ scope, contentChanged }) =>
      contentChanged === undefined ? [] : [[scope, contentChanged]],
    ),
  );
}

/** So that the times of files, and most blocks, are those that another worker published. */
async function startFromPublished(file: string, replica: Replica, { project }: About, signal: AbortSignal) {
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
