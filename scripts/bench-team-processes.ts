import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { postgresBinaries, query, startPostgres } from "../tests/support/postgres-server.ts";
import { openTeamProcesses, type TeamProcess } from "../tests/support/team-processes.ts";
import { buildProgram } from "./bench-tools.ts";

export interface BenchServers {
  /** Runs `dist/` as it is; otherwise the program is built first. */
  readonly isBuilt: boolean;
  /** One that is there; what is published in it stays. */
  readonly database?: string | undefined;
}
export type BenchTeam = Awaited<ReturnType<typeof openServers>>;

/** A database, unless one is given, and servers as real processes. */
export async function openServers({ isBuilt, database }: BenchServers, count: number) {
  const built = isBuilt ? undefined : buildProgram();
  const postgres = database === undefined ? await startDatabase() : undefined;
  const url = database ?? (await postgres?.createDatabase()) ?? "";
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
      await postgres?.[Symbol.asyncDispose]();
      built?.[Symbol.dispose]();
    },
  };
}

function startDatabase() {
  const binaries = postgresBinaries();
  if (binaries === undefined) throw new Error("PostgreSQL is not here");
  return startPostgres(binaries);
}

export const untilPublished = (url: string): Promise<void> =>
  until(async () => {
    // What cannot be published, such as a commit that git cannot check out cleanly, stays away.
    const waiting = "SELECT 1 FROM contextful_team.projects WHERE commit IS NULL AND failure IS NULL";
    return (await query(url, waiting)).length === 0;
  });

export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await pause(20);
}

export interface SearchTimes {
  readonly p50: number;
  readonly p95: number;
  /** Mean processor time of one search in its process. */
  readonly cpu: number;
}
interface AskedProcess {
  readonly process: TeamProcess;
  ask(query: string): Promise<{ readonly status: number }>;
}

/** Asks all of them in turn, so that a busy machine slows each alike. */
export async function measured(
  queries: readonly string[],
  asked: readonly AskedProcess[],
): Promise<SearchTimes[]> {
  const times = asked.map((): number[] => []);
  for (const { ask } of asked) await ask("warm up");
  const before = asked.map(({ process }) => processorMs(process));
  for (const text of queries) {
    for (const [place, { ask }] of asked.entries()) {
      const from = performance.now();
      const { status } = await ask(text);
      if (status !== 200) throw new Error(`a search failed with ${status}`);
      times[place]?.push(performance.now() - from);
    }
  }
  const rounded = (ms = 0) => Math.round(ms * 10) / 10;
  return asked.map(({ process }, place) => {
    const sorted = (times[place] ?? []).toSorted((a, b) => a - b);
    const at = (share: number) => rounded(sorted[Math.floor(share * (sorted.length - 1))]);
    const cpu = (processorMs(process) - (before[place] ?? 0)) / queries.length;
    return { p50: at(0.5), p95: at(0.95), cpu: rounded(cpu) };
  });
}

export const shownTimes = ({ p50, p95, cpu }: SearchTimes): string =>
  `p50 ${p50} ms, p95 ${p95} ms, ${cpu} ms of processor time`;

/** Linux tells it in hundredths of a second. */
function processorMs({ child }: TeamProcess): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}
