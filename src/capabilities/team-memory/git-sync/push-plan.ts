import { existsSync } from "node:fs";
import { commitOf } from "../../../core/git/commit.ts";
import { askGit } from "../../../core/git/git.ts";
import { byCodeUnit } from "../../../core/order.ts";
import { openRepository, type SyncRepository, shortBranch } from "./repository/repository.ts";
import { allFilesAt, filesAt, publicFiles } from "./repository/store-tree.ts";
import type { PushPlan } from "./results.ts";
import { projectPath, type SyncContext } from "./sync-context.ts";

/** What a push would publish now. It reads only, and does not ask the remote. */
export async function planPush(context: SyncContext): Promise<PushPlan> {
  const { directory } = context.place;
  if (!existsSync(directory)) return { target: null, files: [] };
  const repository = await openRepository(context.place, context.settings.branch);
  const committed = await allFilesAt(repository, repository.head);
  const disk = await publicFiles(repository, directory, {
    scopes: context.scopes(),
    committed,
    kept: new Map(),
  });
  const published = await filesAt(repository, await publishedCommit(repository));
  const paths = [...new Set([...disk.ids.keys(), ...published.keys()])].sort(byCodeUnit);
  return {
    target: repository.remote ? `${repository.remote.name}/${shortBranch(repository.remote)}` : null,
    files: paths.flatMap((path) => {
      const [now, before] = [disk.ids.get(path), published.get(path)];
      if (now === before) return [];
      const change = before === undefined ? "added" : now === undefined ? "removed" : "changed";
      return [{ path: projectPath(path), change } as const];
    }),
  };
}

/** The newest commit that the remote is known to have. Without a remote it is our own: only the commit is missing. */
async function publishedCommit({ top, head, remote }: SyncRepository): Promise<string | undefined> {
  if (remote === undefined || head === undefined) return head;
  const known = await commitOf(remote.trackingRef, { cwd: top });
  if (known === undefined) return undefined;
  return (await askGit(["merge-base", head, known], { cwd: top }))?.trim();
}
