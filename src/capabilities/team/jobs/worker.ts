import { join } from "node:path";
import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import type { Machine } from "../../../core/machine.ts";
import { openTeamStore } from "../../../core/replica/open-replica.ts";
import type { TeamStore } from "../../../core/replica/replica.ts";
import { TeamDatabase } from "../database/team-database.ts";
import { type IndexJobResult, indexProject, LEASE_MS, type PublishProject } from "./index-job.ts";
import { type IndexQueue, openIndexQueue, type ScheduledWork } from "./index-queue.ts";
import { MirrorCache } from "./mirror-cache.ts";
import { cleanUp } from "./nightly.ts";

interface WorkerOptions {
  readonly url: string;
  /** How many projects are indexed at once. */
  readonly jobs: number;
  /** A remote is asked again after so many minutes, even if no webhook told of a push. */
  readonly pollMinutes: number;
  readonly cacheBytes: number;
  /** How many generations of each project stay. */
  readonly keep: number;
  /** How long rows of the audit table stay. */
  readonly auditDays: number;
  readonly publish: PublishProject;
  readonly signal: AbortSignal;
  onJob(result: IndexJobResult & { readonly seconds: number }): void;
}

/** Indexes and publishes until `signal` aborts. Any number of workers may run on one database. */
export async function runWorker(machine: Machine, options: WorkerOptions): Promise<void> {
  await using database = await TeamDatabase.open(options.url);
  await using replica = await openTeamStore(options.url);
  await using queue = await openIndexQueue(options.url, { database, logger: machine.logger, isWorker: true });
  const mirrors = new MirrorCache({
    directory: join(machine.home, "team", "mirrors"),
    home: machine.home,
    maxBytes: options.cacheBytes,
  });
  const worker = { machine, options, database, replica, queue, mirrors };
  await queue.work((project) => runJob(worker, project), options.jobs);
  await queue.schedule((work) => runScheduled(worker, work));
  await runScheduled(worker, "sweep");
  machine.logger.info(
    `works for the team: asks each repository every ${options.pollMinutes} minutes, and after webhooks`,
  );
  await aborted(options.signal);
}

interface RunningWorker {
  readonly machine: Machine;
  readonly options: WorkerOptions;
  readonly database: TeamDatabase;
  readonly replica: TeamStore;
  readonly queue: IndexQueue;
  readonly mirrors: MirrorCache;
}

async function runJob({ machine, options, queue, ...parts }: RunningWorker, project: string): Promise<void> {
  const started = performance.now();
  try {
    const { publish, signal } = options;
    const result = await indexProject(project, { ...parts, publish, signal });
    if (result.isWantedAgain) await queue.send([project], result.state === "leased" ? LEASE_MS / 1_000 : 0);
    options.onJob({ ...result, seconds: (performance.now() - started) / 1_000 });
  } catch (thrown) {
    // The log may name addresses; the queue and the table of projects have only our own sentences.
    const reason = thrown instanceof DomainError ? thrown.message : String(thrown);
    if (!options.signal.aborted)
      machine.logger.warn(`project ${await nameOf(parts.database, project)}: ${reason}`);
    throw thrown;
  }
}

/** Its id if the database is away. */
async function nameOf(database: TeamDatabase, id: string): Promise<string> {
  const text = "SELECT name FROM contextful_team.projects WHERE id = $1";
  const rows = await database.rows(z.object({ name: z.string() }), text, [id]).catch(() => []);
  return rows[0]?.name ?? id;
}

async function runScheduled(
  { machine, options, database, replica, queue }: RunningWorker,
  work: ScheduledWork,
) {
  if (work === "collect") {
    const { keep, auditDays } = options;
    await cleanUp({ database, replica, keep, auditDays, now: () => machine.now() });
    return;
  }
  const due = await database.rows(
    z.object({ id: z.string() }),
    `SELECT id::text FROM contextful_team.projects
     WHERE checked_at IS NULL OR checked_at < now() - $1 * interval '1 minute'
        OR (failure IS NULL AND (indexed_at IS NULL OR indexed_at < requested_at))`,
    [options.pollMinutes],
  );
  await queue.send(due.map(({ id }) => id));
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
