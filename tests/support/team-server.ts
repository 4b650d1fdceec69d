import { join } from "node:path";
import { projectRooms } from "../../src/app/team-projects/index.ts";
import { openTeamRoom } from "../../src/app.ts";
import { addToken, grantRole } from "../../src/capabilities/team/access/tokens.ts";
import { TeamDatabase } from "../../src/capabilities/team/database/team-database.ts";
import { runWorker } from "../../src/capabilities/team/jobs/worker.ts";
import { addProject, listProjects, type NewProject } from "../../src/capabilities/team/projects/projects.ts";
import { Config } from "../../src/core/config/config.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { listen, teamHttpApp, trustedProxies } from "../../src/surfaces/http/index.ts";
import { mcpHandler } from "../../src/surfaces/mcp/index.ts";
import { boundedQueue } from "../../src/surfaces/queue.ts";
import { openTeamPage } from "../../src/surfaces/web/index.ts";
import { testMachine } from "./machine.ts";
import type { PostgresServer } from "./postgres-server.ts";
import { tempDir } from "./temp-dir.ts";

export const WEBHOOK_SECRET = "the secret of the team's forge";

/** A team in one process: its database, a worker, and servers that are called in process. Keyword search only. */
export async function openTestTeam(postgres: PostgresServer) {
  const url = await postgres.createDatabase();
  const directory = tempDir();
  const database = await TeamDatabase.open(url);
  const ending = new AbortController();
  const closing: (() => Promise<unknown>)[] = [];
  const machineAt = (name: string) =>
    testMachine(join(directory.path, name, "root"), {
      home: join(directory.path, name),
      config: async () => Config.parse({ embedding: { provider: "disabled" } }),
      now: () => new Date(),
    });
  const startWorker = () => {
    const machine = machineAt("worker");
    const publisher = projectRooms(machine).publisher(url);
    const running = runWorker(machine, {
      url,
      jobs: 2,
      pollMinutes: 60,
      cacheBytes: 1e9,
      keep: 3,
      auditDays: 365,
      publish: publisher.publish,
      signal: ending.signal,
      onJob: () => {},
    });
    closing.unshift(() => running.then(() => publisher[Symbol.asyncDispose]()));
  };
  const startServer = async (name: string) => {
    const machine = machineAt(name);
    const team = await openTeamRoom(machine).serve({
      database: url,
      cacheBytes: 1e9,
      maxOpen: 8,
      webhookSecret: WEBHOOK_SECRET,
    });
    closing.unshift(async () => team[Symbol.asyncDispose]());
    const queue = boundedQueue();
    const http = teamHttpApp(team, {
      version: "0",
      queue,
      logger: silentLogger,
      proxies: trustedProxies([]),
      page: openTeamPage({ version: "0" }),
      mcpFor: (app) => mcpHandler(app, { version: "0", queue }).fetch,
      log: () => {},
    });
    /** On a real socket; returns the address. */
    const openSocket = async () => {
      const listening = await listen(http, { host: "127.0.0.1", port: 0 });
      closing.unshift(() => listening.close());
      return `http://127.0.0.1:${listening.port}`;
    };
    return {
      team,
      openSocket,
      fetch: (path: string, init?: RequestInit) => http.request(`http://team${path}`, init),
    };
  };
  return {
    url,
    database,
    startWorker,
    startServer,
    add: (project: NewProject) => addProject(database, project, "ana"),
    token: async (
      name: string,
      grant?: { project?: string; group?: string; role?: "read" | "publish" | "admin" },
    ) => {
      const text = await addToken(database, { name, days: undefined, callsPerMinute: 1_000_000 }, "ana");
      if (grant) await grantRole(database, { role: "read", ...grant, token: name }, "ana");
      return text;
    },
    list: () => listProjects(database),
    async [Symbol.asyncDispose]() {
      ending.abort();
      for (const close of closing) await close();
      await database[Symbol.asyncDispose]();
      directory[Symbol.dispose]();
    },
  };
}
