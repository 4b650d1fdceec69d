import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import { silentProgress } from "../../../core/progress.ts";
import type { PublishedFile } from "../../../core/replica/publish.ts";
import type { Replica } from "../../../core/replica/replica.ts";
import type { Call } from "../../../core/tool.ts";
import type { TeamDatabase } from "../database/team-database.ts";
import { projectKey } from "../projects/project-key.ts";
import { updateMirror } from "./mirror.ts";
import type { MirrorCache } from "./mirror-cache.ts";

/** Indexes a clean work tree and publishes the index. The code index provides it; rooms do not import each other. */
export type PublishProject = (
  path: string,
  replica: Replica,
  options: { readonly name: string },
  call: Call,
) => Promise<PublishedFile>;

interface IndexJobOptions {
  readonly database: TeamDatabase;
  readonly replica: Replica;
  readonly mirrors: MirrorCache;
  readonly publish: PublishProject;
  readonly signal: AbortSignal;
}
export type IndexJobResult =
  | {
      readonly state: "gone" | "leased" | "unchanged";
      readonly isWantedAgain: boolean;
      readonly name?: string;
    }
  | {
      readonly state: "published";
      readonly isWantedAgain: boolean;
      readonly name: string;
      readonly commit: string;
      readonly newBlocks: number;
      readonly blocks: number;
    };

/** A worker that dies is noticed after this time. */
export const LEASE_MS = 15_000;
const JobProject = z.object({
  name: z.string(),
  url: z.string(),
  branch: z.string().nullable(),
  commit: z.string().nullable(),
  /** With microseconds, which a date would lose. */
  started: z.string(),
});

/**
 * Brings the published index of a project to the last commit of its branch. A lease keeps workers apart. What was asked
 * for is forgotten only after it was published, so a worker can be killed at any moment.
 */
export async function indexProject(id: string, options: IndexJobOptions): Promise<IndexJobResult> {
  const { registry } = options.replica;
  const lease = await registry.lease(`index-${id}`, LEASE_MS);
  if (lease === undefined) return { state: "leased", isWantedAgain: true };
  const lost = new AbortController();
  const renewing = setInterval(() => {
    lease.renew().then(
      (isOurs) =>
        isOurs || lost.abort(new DomainError("conflict", "The lease was lost.", { reason: "lease" })),
      () => undefined,
    );
  }, LEASE_MS / 3);
  try {
    return await run(id, { ...options, signal: AbortSignal.any([options.signal, lost.signal]) });
  } finally {
    clearInterval(renewing);
    await lease.release().catch(() => undefined);
  }
}

async function run(id: string, options: IndexJobOptions): Promise<IndexJobResult> {
  const { database, replica, mirrors, publish, signal } = options;
  const [project] = await database.rows(
    JobProject,
    "SELECT name, url, branch, commit, clock_timestamp()::text AS started FROM contextful_team.projects WHERE id = $1",
    [id],
  );
  if (!project) return { state: "gone", isWantedAgain: false };
  const { name, started } = project;
  try {
    return await mirrors.use(id, async (directory): Promise<IndexJobResult> => {
      const { commit, checkOut } = await updateMirror(project, directory, signal);
      if (commit === project.commit)
        return { state: "unchanged", name, isWantedAgain: await finish(database, { id, started }) };
      const call: Call = { signal, progress: silentProgress, actor: "worker", caller: "agent" };
      const published = await publish(await checkOut(), underKey(projectKey(id), replica), { name }, call);
      await publishForClones(published, replica);
      signal.throwIfAborted();
      const isWantedAgain = await finish(database, { id, started, name, published });
      const { blocks, newBlocks } = published;
      return { state: "published", name, commit, blocks, newBlocks, isWantedAgain };
    });
  } catch (thrown) {
    const failure =
      thrown instanceof DomainError ? thrown.message : "Something went wrong; the worker's log has more.";
    await database.rows(
      z.unknown(),
      "UPDATE contextful_team.projects SET checked_at = now(), failure = $2 WHERE id = $1",
      [id, signal.aborted ? null : failure],
    );
    throw thrown;
  }
}

/** Publishes under the key of the project: forks have the same first commits, and a token for one must not read another. */
const underKey = (key: string, replica: Replica): Replica => ({
  ...replica,
  registry: {
    ...replica.registry,
    publish: (generation, manifest) => replica.registry.publish({ ...generation, project: key }, manifest),
    generations: (_repository, kind) => replica.registry.generations(key, kind),
  },
});

/** Clones that may read the whole store find the code by their repository. The blocks are there already. */
async function publishForClones({ generation }: PublishedFile, { registry }: Replica): Promise<void> {
  const manifest = await registry.manifest(generation.manifest);
  if (manifest) await registry.publish(generation, manifest);
}

interface FinishedJob {
  readonly id: string;
  readonly started: string;
  readonly name?: string;
  readonly published?: PublishedFile;
}

/** Returns whether something was asked for after the job began. */
async function finish(
  database: TeamDatabase,
  { id, started, name = "", published }: FinishedJob,
): Promise<boolean> {
  const values = [id, started];
  const done = "indexed_at = $2::timestamptz, checked_at = now(), failure = NULL";
  const again = "WHERE id = $1 RETURNING requested_at > $2::timestamptz AS again";
  const Row = z.object({ again: z.boolean() });
  const update = `UPDATE contextful_team.projects SET ${done}`;
  if (!published) return (await database.rows(Row, `${update} ${again}`, values))[0]?.again ?? false;
  const { project, kind, commit, published_at } = published.generation;
  const entry = { actor: "worker", action: "publish", target: `${name} ${commit}`, outcome: "done" } as const;
  const rows = await database.change(entry, (sql) =>
    sql(Row, `${update}, repository = $3, kind = $4, commit = $5, published_at = $6 ${again}`, [
      ...values,
      project,
      kind,
      commit,
      published_at,
    ]),
  );
  return rows[0]?.again ?? false;
}
