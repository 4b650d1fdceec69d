import type { Machine } from "../../core/machine.ts";
import type { Finding } from "../../core/room-offer.ts";
import type { Call } from "../../core/tool.ts";
import { addToken, type GrantOptions, grantRole, listTokens, revokeToken } from "./access/tokens.ts";
import { databaseUrl, TeamDatabase } from "./database/team-database.ts";
import type { JobEvent } from "./jobs/job-event.ts";
import { addProject, listProjects, type NewProject, removeProject } from "./projects/projects.ts";
import type { ListedToken, RegisteredProject } from "./schemas.ts";
import type { ProjectRooms } from "./serve/followed-projects.ts";
import type { TeamServer, TeamServerOptions } from "./serve/team-server.ts";

interface InDatabase {
  readonly database?: string | undefined;
}
interface NamedInDatabase extends InDatabase {
  readonly name: string;
}
interface WorkInput extends InDatabase {
  readonly jobs: number;
  readonly poll_minutes: number;
  readonly cache_gb: number;
  readonly keep: number;
  readonly audit_days: number;
}
interface NewToken extends NamedInDatabase {
  readonly days?: number | undefined;
  readonly calls_per_minute: number;
}

const GIGABYTE = 1_000_000_000;

/** The room's behaviour; the module is loaded when the first tool is called. Each command opens the database for itself. */
export class LoadedTeam {
  readonly #machine: Machine;
  readonly #rooms: () => Promise<ProjectRooms>;

  constructor(machine: Machine, rooms: () => Promise<ProjectRooms>) {
    this.#machine = machine;
    this.#rooms = rooms;
  }

  async login({ url, token_file }: { readonly url: string; readonly token_file: string }) {
    const { logIn } = await import("./access/log-in.ts");
    const { team } = await this.#machine.config();
    return logIn(url, token_file, { env: this.#machine.env, configured: team?.url });
  }

  async addToken({ name, days, calls_per_minute: callsPerMinute, database }: NewToken, actor: string) {
    await using opened = await this.#open(database);
    return { name, token: await addToken(opened, { name, days, callsPerMinute }, actor) };
  }

  async listTokens({ database }: InDatabase): Promise<{ tokens: ListedToken[] }> {
    await using opened = await this.#open(database);
    return { tokens: await listTokens(opened) };
  }

  async revokeToken({ name, database }: NamedInDatabase, actor: string) {
    await using opened = await this.#open(database);
    await revokeToken(opened, name, actor);
    return { name };
  }

  async grant({ database, ...grant }: GrantOptions & InDatabase, actor: string) {
    await using opened = await this.#open(database);
    return { token: grant.token, role: grant.role, ...(await grantRole(opened, grant, actor)) };
  }

  async addProject({ database, ...project }: NewProject & InDatabase, actor: string) {
    await using opened = await this.#open(database);
    return { name: await addProject(opened, project, actor) };
  }

  async listProjects({ database }: InDatabase): Promise<{ projects: RegisteredProject[] }> {
    await using opened = await this.#open(database);
    return { projects: await listProjects(opened) };
  }

  async removeProject({ name, database }: NamedInDatabase, actor: string) {
    await using opened = await this.#open(database);
    await removeProject(opened, name, actor);
    return { name };
  }

  async doctor({ database }: InDatabase): Promise<{ findings: Finding[] }> {
    const { openTeamStore } = await import("../../core/replica/open-replica.ts");
    const { teamFindings } = await import("./doctor/doctor.ts");
    await using opened = await this.#open(database);
    // Creates the store's tables, if nothing was published yet.
    await using _replica = await openTeamStore(this.#urlOf(database));
    return { findings: await teamFindings(opened, this.#machine) };
  }

  async serve({ database, ...options }: Omit<TeamServerOptions, "url"> & InDatabase): Promise<TeamServer> {
    const { openTeamServer } = await import("./serve/team-server.ts");
    return openTeamServer(this.#machine, await this.#rooms(), { ...options, url: this.#urlOf(database) });
  }

  /** Runs until it is stopped. */
  async work({ database, jobs, poll_minutes, cache_gb, keep, audit_days }: WorkInput, call: Call<JobEvent>) {
    const { runWorker } = await import("./jobs/worker.ts");
    const url = this.#urlOf(database);
    await using publisher = (await this.#rooms()).publisher(url);
    let count = 0;
    await runWorker(this.#machine, {
      url,
      jobs,
      pollMinutes: poll_minutes,
      cacheBytes: cache_gb * GIGABYTE,
      keep,
      auditDays: audit_days,
      publish: publisher.publish,
      signal: call.signal,
      onJob({ state, name = "", seconds, ...result }) {
        if (state === "gone" || state === "leased") return;
        count += 1;
        const published = "commit" in result && {
          commit: result.commit,
          blocks: result.blocks,
          new_blocks: result.newBlocks,
        };
        call.emit?.({ project: name, state, seconds: Math.round(seconds * 100) / 100, ...published });
      },
    });
    return { jobs: count };
  }

  #urlOf = (database: string | undefined) => databaseUrl(database, this.#machine.env);

  #open(database: string | undefined): Promise<TeamDatabase> {
    return TeamDatabase.open(this.#urlOf(database));
  }
}
