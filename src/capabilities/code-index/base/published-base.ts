import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../../../core/errors.ts";
import { followGeneration } from "../../../core/replica/follow.ts";
import { openReplica } from "../../../core/replica/open-replica.ts";
import type { CodeProject } from "../store/project.ts";
import { CODE_KIND } from "../store/tables.ts";
import { type GitOrigin, nearestKnown, repositoryId } from "./git-origin.ts";
import type { BaseOptions, IndexBase } from "./index-bases.ts";

const FETCHED = "code-team";

/**
 * The nearest generation in the team's store. Nothing of the project is sent there: only its identity, by which generations
 * are found. If the store cannot be used, that is told, and the project is indexed without it.
 */
export async function nearestPublished(
  project: CodeProject,
  origin: GitOrigin,
  { teamUrl, env, logger, progress, signal }: BaseOptions & { readonly teamUrl: string },
): Promise<IndexBase | undefined> {
  if (origin.isShallow) {
    logger.info("this clone is shallow, so its team's index is not found; git fetch --unshallow helps");
    return undefined;
  }
  const repository = await repositoryId(project.root, origin, signal);
  if (repository === undefined) return undefined;
  const told =
    <T>(otherwise: T) =>
    (thrown: unknown): T => {
      signal.throwIfAborted();
      // An address may hold a password, so only our own messages are shown.
      const why = thrown instanceof DomainError ? thrown.message : "The team's store cannot be used.";
      logger.warn(`${why} Everything is indexed here.`);
      return otherwise;
    };
  const replica = await openReplica(teamUrl, env).catch(told(undefined));
  if (replica === undefined) return undefined;
  const generations = await replica.registry.generations(repository, CODE_KIND).catch(told([]));
  const nearest = await nearestKnown(project.root, origin.commit, generations, signal);
  const generation = nearest?.found ?? generations[0];
  if (generation === undefined) {
    await replica[Symbol.asyncDispose]();
    return undefined;
  }
  const directory = join(project.directory, FETCHED);
  const fetchTo = async (file: string) => {
    try {
      const followed = await followGeneration(generation, directory, replica, { signal, progress });
      await rename(followed.file, file);
      return true;
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  };
  return {
    shown: "the team's index",
    changedFiles: nearest?.changedFiles,
    copyTo: (file) => fetchTo(file).catch(told(false)),
    [Symbol.asyncDispose]: () => replica[Symbol.asyncDispose](),
  };
}
