import type { Machine } from "../../core/machine.ts";
import {
  addToken,
  type GrantOptions,
  grantRole,
  type ListedToken,
  listTokens,
  revokeToken,
} from "./access/tokens.ts";
import { databaseUrl, TeamDatabase } from "./database/team-database.ts";
import {
  addProject,
  listProjects,
  type NewProject,
  type RegisteredProject,
  removeProject,
} from "./projects/projects.ts";

interface InDatabase {
  readonly database?: string | undefined;
}
interface NamedInDatabase extends InDatabase {
  readonly name: string;
}
interface NewToken extends NamedInDatabase {
  readonly days?: number | undefined;
  readonly calls_per_minute: number;
}

/** The room's behaviour; the module is loaded when the first tool is called. Each command opens the database for itself. */
export class LoadedTeam {
  readonly #machine: Machine;

  constructor(machine: Machine) {
    this.#machine = machine;
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
    await grantRole(opened, grant, actor);
    return { token: grant.token, role: grant.role };
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

  #open(database: string | undefined): Promise<TeamDatabase> {
    return TeamDatabase.open(databaseUrl(database, this.#machine.env));
  }
}
