import type PgBossClass from "pg-boss";
import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import type { Logger } from "../../../core/logger.ts";
import type { TeamDatabase } from "../database/team-database.ts";

const SCHEMA = "contextful_jobs";
const INDEX = "index";
/** What a worker does at these times, in UTC. Whichever worker is free does it. */
const SCHEDULES = { sweep: "* * * * *", collect: "17 3 * * *" } as const;
export type ScheduledWork = keyof typeof SCHEDULES;

/** A job that runs longer is given to another worker; its lease keeps the two apart. */
const EXPIRE_HOURS = 12;
const QUEUES = {
  [INDEX]: { retryLimit: 8, retryDelay: 5, retryBackoff: true, expireInHours: EXPIRE_HOURS },
  sweep: { retryLimit: 0 },
  collect: { retryLimit: 0 },
} as const;
/** A notification may be lost, and nobody notifies of a job that was to wait. */
const POLL_SECONDS = 2;
const IndexJob = z.object({ project: z.string() });

export interface IndexQueue extends AsyncDisposable {
  /** Asks for an index of these projects. One waiting job for each project is enough. */
  send(projects: readonly string[], afterSeconds?: number): Promise<void>;
  /** Gives jobs to `run`, at most `atOnce` at once. A job that fails is tried again, later and later. */
  work(run: (project: string) => Promise<void>, atOnce: number): Promise<void>;
  /** Runs scheduled work in one of the workers. */
  schedule(run: (work: ScheduledWork) => Promise<void>): Promise<void>;
  /** How many jobs wait. */
  waiting(): Promise<number>;
}

interface IndexQueueOptions {
  readonly database: TeamDatabase;
  readonly logger: Logger;
  readonly isWorker: boolean;
}

/** Opens the queue. A process that only sends does no maintenance. */
export async function openIndexQueue(
  url: string,
  { database, logger, isWorker }: IndexQueueOptions,
): Promise<IndexQueue> {
  const PgBoss = await loadPgBoss();
  const boss = new PgBoss({
    connectionString: url,
    schema: SCHEMA,
    max: 3,
    application_name: "contextful jobs",
    supervise: isWorker,
    schedule: isWorker,
  });
  boss.on("error", (error) => logger.warn(`jobs: ${error.message}`));
  await boss.start();
  // Two processes that create queues at once end in a deadlock.
  await database.exclusively(async () => {
    for (const [name, options] of Object.entries(QUEUES))
      if ((await boss.getQueue(name)) === null)
        await boss.createQueue(name, { name, policy: "short", ...options });
  });
  const ending = new AbortController();
  let listening: Promise<void> | undefined;
  return {
    async send(projects, startAfter = 0) {
      for (const project of projects)
        await boss.send(INDEX, { project }, { singletonKey: project, startAfter });
      if (projects.length > 0 && startAfter === 0)
        await database.rows(z.unknown(), "SELECT pg_notify($1, '')", [SCHEMA]);
    },
    async work(run, atOnce) {
      const handle = async (jobs: PgBossClass.Job<unknown>[]) => {
        for (const { data } of jobs) await run(IndexJob.parse(data).project);
      };
      const workers: string[] = [];
      for (let worker = 0; worker < atOnce; worker++)
        workers.push(await boss.work(INDEX, { pollingIntervalSeconds: POLL_SECONDS }, handle));
      const wake = () => {
        for (const worker of workers) boss.notifyWorker(worker);
      };
      listening = database.listen(wake, ending.signal, SCHEMA);
    },
    async schedule(run) {
      for (const [work, cron] of Object.entries(SCHEDULES)) await boss.schedule(work, cron);
      for (const work of ["sweep", "collect"] as const) await boss.work(work, () => run(work));
    },
    waiting: () => boss.getQueueSize(INDEX),
    async [Symbol.asyncDispose]() {
      ending.abort();
      await listening;
      await boss.stop({ graceful: false, wait: false });
    },
  };
}

/** Loaded on first use, as pg is. Version 10: newer ones need Node 22. */
async function loadPgBoss(): Promise<typeof PgBossClass> {
  try {
    return (await import("pg-boss")).default;
  } catch (cause) {
    throw new DomainError(
      "unavailable",
      "Workers need the package pg-boss. Run: npm install --global pg-boss@10 (or add it beside contextful)",
      { reason: "pg_boss_missing", cause },
    );
  }
}
