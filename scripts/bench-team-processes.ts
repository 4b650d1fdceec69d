import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { postgresBinaries, query, startPostgres } from "../tests/support/postgres-server.ts";
import { openTeamProcesses, type TeamProcess } from "../tests/support/team-processes.ts";
import { buildProgram } from "./bench-tools.ts";

export interface BenchServers {
  /** Runs `dist/` as it is; otherwise the program is built first. */
  readonly isBuilt: boolean;
}
export type BenchTeam = Awaited<ReturnType<typeof openServers>>;

/** A database and servers as real processes. */
export async function openServers({ isBuilt }: BenchServers, count: number) {
  const binaries = postgresBinaries();
  if (binaries === undefined) throw new Error("PostgreSQL is not here");
  const built = isBuilt ? undefined : buildProgram();
  const postgres = await startPostgres(binaries);
  const url = await postgres.createDatabase();
  const binary = resolve(built?.binary ?? "dist/bin.js");
  const processes = await openTeamProcesses(url, { binary, config: "" });
  const servers: TeamProcess[] = [];
  for (let at = 0; at < count; at++)
    servers.push(await processes.startServer(`server${at}`, "--webhook-secret-file", processes.secretFile));
  return {
    url,
    processes,
    servers,
    /** A token that may read what `grant` says. */
    token(name: string, ...grant: string[]): string {
      const text = processes.run("team", "tokens", "add", name, "--calls-per-minute", "1000000", "--json");
      processes.run("team", "grant", name, "read", ...grant);
      return JSON.parse(text).token;
    },
    async [Symbol.asyncDispose]() {
      await processes[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
      built?.[Symbol.dispose]();
    },
  };
}

export const untilPublished = (url: string): Promise<void> =>
  until(async () => {
    const rows = await query(url, "SELECT 1 FROM contextful_team.projects WHERE commit IS NULL");
    return rows.length === 0;
  });

export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await pause(20);
}
