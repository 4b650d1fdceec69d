import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { CODE_KIND, openCodeIndex } from "../../src/capabilities/code-index/index.ts";
import { AccessBook } from "../../src/capabilities/team/access/access-book.ts";
import { TeamDatabase } from "../../src/capabilities/team/database/team-database.ts";
import type { PublishProject } from "../../src/capabilities/team/jobs/index-job.ts";
import { openIndexQueue } from "../../src/capabilities/team/jobs/index-queue.ts";
import { cleanUp } from "../../src/capabilities/team/jobs/nightly.ts";
import { runWorker } from "../../src/capabilities/team/jobs/worker.ts";
import { projectKey } from "../../src/capabilities/team/projects/project-key.ts";
import {
  addProject,
  listProjects,
  removeProject,
  requestIndex,
} from "../../src/capabilities/team/projects/projects.ts";
import { Config } from "../../src/core/config/config.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { openReplica, openTeamStore } from "../../src/core/replica/open-replica.ts";
import { source } from "../support/code-project.ts";
import { makeRemote } from "../support/git-remote.ts";
import { testMachine } from "../support/machine.ts";
import { query } from "../support/postgres-server.ts";
import { describeWithPostgres } from "../support/team-database.ts";
import { tempDir } from "../support/temp-dir.ts";

const WAIT = { timeout: 200_000, interval: 50 };

describeWithPostgres("a team's workers", (server) => {
  async function openWorkers() {
    const url = await server().createDatabase();
    const directory = tempDir();
    const database = await TeamDatabase.open(url);
    const queue = await openIndexQueue(url, { database, logger: silentLogger, isWorker: false });
    const ending = new AbortController();
    const running: Promise<void>[] = [];
    const rooms: { close(): Promise<void> }[] = [];
    /** Starts a worker with a disk of its own; its jobs are told to `onJob`. */
    const start = (
      name: string,
      onJob: (line: string) => void,
      wrap = (publish: PublishProject) => publish,
    ) => {
      const machine = testMachine(join(directory.path, name, "root"), {
        home: join(directory.path, name),
        config: async () => Config.parse({ embedding: { provider: "disabled" } }),
      });
      const code = openCodeIndex(machine);
      rooms.push(code);
      running.push(
        runWorker(machine, {
          url,
          jobs: 2,
          pollMinutes: 60,
          cacheBytes: 1e9,
          keep: 3,
          auditDays: 365,
          publish: wrap((...given) => code.publishCode(...given)),
          signal: ending.signal,
          onJob: ({ name: project = "", state, ...result }) =>
            onJob([project, state, ...("commit" in result ? [result.commit] : [])].join(" ")),
        }),
      );
    };
    const listed = () => listProjects(database);
    return {
      url,
      directory,
      database,
      queue,
      start,
      listed,
      async push(address: string) {
        const book = new AccessBook(database);
        await book.refresh(new Date());
        await requestIndex(database, book.idsOf([address]));
        await queue.send(book.idsOf([address]));
      },
      async [Symbol.asyncDispose]() {
        ending.abort();
        await Promise.all(running);
        for (const room of rooms) await room.close();
        await queue[Symbol.asyncDispose]();
        await database[Symbol.asyncDispose]();
        directory[Symbol.dispose]();
      },
    };
  }
  /** Collects events until the wanted ones have happened. */
  const collector = () => {
    const lines: string[] = [];
    let check = () => {};
    return {
      lines,
      add: (line: string) => {
        lines.push(line);
        check();
      },
      until: (isThere: () => boolean) =>
        new Promise<void>((resolve) => {
          check = () => isThere() && resolve();
          check();
        }),
    };
  };
  const count = (lines: readonly string[], line: string) =>
    lines.filter((each) => each.startsWith(line)).length;

  test("a registered repository is published, and again after each push", async () => {
    await using workers = await openWorkers();
    using remote = makeRemote("api", { "a.go": source("Alpha") });
    await addProject(workers.database, { url: remote.url, name: "shop/api" }, "ana");
    const events = collector();
    workers.start("one", events.add);
    await events.until(() => count(events.lines, "shop/api published") === 1);
    const commit = remote.push({ "b.go": source("Beta") });
    await workers.push(remote.url);
    await events.until(() => count(events.lines, "shop/api published") === 2);
    const [project] = await workers.listed();
    expect(project).toMatchObject({ commit, waiting: false, failure: null });
    // Under the key of the project for servers, under that of the repository for clones.
    const published = `SELECT name, count(*)::int AS generations FROM contextful.generations
      WHERE kind = '${CODE_KIND}' GROUP BY project, name`;
    expect(await query(workers.url, published)).toEqual([
      { name: "shop/api", generations: 2 },
      { name: "shop/api", generations: 2 },
    ]);
  });

  test("workers need not ask: they are notified of a job", async () => {
    await using workers = await openWorkers();
    const ending = new AbortController();
    let news = 0;
    const listening = workers.database.listen(() => news++, ending.signal, "contextful_jobs");
    await vi.waitFor(() => expect(news).toBe(1), WAIT);
    await workers.queue.send([randomUUID()]);
    await vi.waitFor(() => expect(news).toBe(2), WAIT);
    ending.abort();
    await listening;
  });

  test("two workers never index one project at the same time, and no push is lost", async () => {
    await using workers = await openWorkers();
    using remote = makeRemote("api", { "a.go": source("Alpha") });
    await addProject(workers.database, { url: remote.url, name: "api" }, "ana");
    const events = collector();
    let [now, most] = [0, 0];
    const counted =
      (publish: PublishProject): PublishProject =>
      async (...given) => {
        most = Math.max(most, ++now);
        try {
          return await publish(...given);
        } finally {
          now--;
        }
      };
    for (const name of ["one", "two"]) workers.start(name, events.add, counted);
    let commit = "";
    for (let round = 0; round < 4; round++) {
      commit = remote.push({ "b.go": source(`Beta${round}`) });
      await workers.push(remote.url);
    }
    await events.until(() => events.lines.includes(`api published ${commit}`));
    expect(most).toBe(1);
  });

  test("a second branch of a repository is a project of its own, and clones find the commits of both", async () => {
    await using workers = await openWorkers();
    using remote = makeRemote("api", { "a.go": source("Alpha") });
    const main = remote.git("rev-parse", "HEAD");
    const next = remote.push({ "b.go": source("Beta") }, "next");
    await addProject(workers.database, { url: remote.url, name: "api", branch: "main" }, "ana");
    await addProject(workers.database, { url: remote.url, name: "next", branch: "next" }, "ana");
    const events = collector();
    workers.start("one", events.add);
    await events.until(
      () => count(events.lines, "api published") + count(events.lines, "next published") === 2,
    );
    expect(await workers.listed()).toMatchObject([
      { name: "api", commit: main, failure: null },
      { name: "next", commit: next, failure: null },
    ]);
    const book = new AccessBook(workers.database);
    await book.refresh(new Date());
    await using replica = await openReplica(workers.url);
    const commits = async (key: string) =>
      (await replica.registry.generations(key, CODE_KIND)).map(({ commit }) => commit).sort();
    const projects = [...book.projects()];
    const own = await Promise.all(projects.map(({ id }) => commits(projectKey(id))));
    expect(own.flat().sort()).toEqual([main, next].sort());
    expect(projects[0]?.repository).toBe(projects[1]?.repository);
    expect(await commits(projects[0]?.repository ?? "")).toEqual([main, next].sort());
  });

  test("a removed project leaves the store at night, but for what clones of another branch find", async () => {
    await using workers = await openWorkers();
    using remote = makeRemote("api", { "a.go": source("Alpha") });
    remote.push({ "b.go": source("Beta") }, "next");
    const branches = ["main", "next"];
    for (const branch of branches)
      await addProject(workers.database, { url: remote.url, name: branch, branch }, "ana");
    const events = collector();
    workers.start("one", events.add);
    await events.until(() => branches.every((branch) => count(events.lines, `${branch} published`) === 1));
    await using replica = await openTeamStore(workers.url);
    const projects = async () =>
      (await query(workers.url, "SELECT DISTINCT project FROM contextful.generations")).length;
    const options = { database: workers.database, replica, keep: 3, auditDays: 30, now: () => new Date() };
    expect(await projects()).toBe(3);
    await removeProject(workers.database, "next", "ana");
    await query(
      workers.url,
      "UPDATE contextful_team.audit SET at = now() - interval '31 days' WHERE action = 'publish'",
    );
    await cleanUp(options);
    expect(await projects()).toBe(2);
    const actions = await query(
      workers.url,
      "SELECT DISTINCT action FROM contextful_team.audit ORDER BY action",
    );
    expect(actions).toEqual([{ action: "projects add" }, { action: "projects remove" }]);
    await removeProject(workers.database, "main", "ana");
    await cleanUp(options);
    expect(await projects()).toBe(0);
  });

  test("a repository that cannot be fetched says why, and the others are indexed", async () => {
    await using workers = await openWorkers();
    using remote = makeRemote("api", { "a.go": source("Alpha") });
    await addProject(
      workers.database,
      { url: `file://${workers.directory.path}/none.git`, name: "gone" },
      "ana",
    );
    await addProject(workers.database, { url: remote.url, name: "api" }, "ana");
    const events = collector();
    workers.start("one", events.add);
    await events.until(() => count(events.lines, "api published") === 1);
    await vi.waitFor(async () => {
      const gone = (await workers.listed()).find(({ name }) => name === "gone");
      expect(gone?.failure).toContain("git fetch failed");
    }, WAIT);
  });
});
