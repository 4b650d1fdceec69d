import { z } from "zod";
import type { TeamDatabase } from "../database/team-database.ts";
import { hostAndPath } from "../projects/project-address.ts";
import { ROLES, type TeamRole } from "../schemas.ts";
import { includesRole } from "./tokens.ts";

const TokenRow = z.object({
  id: z.string(),
  name: z.string(),
  salt: z.instanceof(Buffer),
  hash: z.instanceof(Buffer),
  calls_per_minute: z.int(),
  expires_at: z.string().nullable(),
});
export type TokenRow = z.output<typeof TokenRow>;

export const ServedProject = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  group_name: z.string().nullable(),
  /** Which repository it is of: see `repositoryId`. It and the published generation are null until the first one. */
  repository: z.string().nullable(),
  kind: z.string().nullable(),
  commit: z.string().nullable(),
  published_at: z.string().nullable(),
  revision: z.coerce.number(),
});
export type ServedProject = z.output<typeof ServedProject>;

const Revisions = z.object({ access: z.int(), published: z.coerce.number() });
const Grant = z.object({ token: z.string(), scope: z.string(), role: z.enum(ROLES) });
const PROJECT =
  "SELECT id, name, url, group_name, repository, kind, commit, published_at, revision FROM contextful_team.projects";

/**
 * Who may see what, in memory: no call waits for the database, and calls are answered while it is away. Revoked tokens
 * are not in it.
 */
export class AccessBook {
  readonly #database: TeamDatabase;
  #revisions = { access: 0, published: 0 };
  #tokens: ReadonlyMap<string, TokenRow> = new Map();
  #roles: ReadonlyMap<string, ReadonlyMap<string, TeamRole>> = new Map();
  #projects = new Map<string, ServedProject>();
  /** By address as `hostAndPath` writes it. */
  #addresses: ReadonlyMap<string, readonly string[]> = new Map();
  /** By token and role, until access changes: the ids of visible projects by name. */
  #visible = new Map<string, ReadonlyMap<string, string>>();
  #readAt: Date | undefined;

  constructor(database: TeamDatabase) {
    this.#database = database;
  }

  /** When the database last told that this is up to date. */
  get readAt(): Date | undefined {
    return this.#readAt;
  }

  /** Reads what has changed. What is committed meanwhile is read next time. */
  async refresh(now: Date): Promise<{ readonly changed: boolean }> {
    const sql = this.#database.rows;
    const [at] = await sql(Revisions, "SELECT access, published FROM contextful_team.revision");
    const before = this.#revisions;
    if (!at) throw new Error("the counter of revisions is gone");
    if (at.access !== before.access) await this.#readAll();
    else if (at.published !== before.published) {
      const changed = await sql(ServedProject, `${PROJECT} WHERE revision > $1`, [before.published]);
      for (const project of changed)
        if (this.#projects.has(project.id)) this.#projects.set(project.id, project);
    }
    this.#revisions = at;
    this.#readAt = now;
    return { changed: at.access !== before.access || at.published !== before.published };
  }

  token(id: string): TokenRow | undefined {
    return this.#tokens.get(id);
  }

  /** A project that the token may use in this role. One that it may not and one that does not exist are the same. */
  find(token: string, role: TeamRole, name: string): ServedProject | undefined {
    return this.#projects.get(this.#visibleTo(token, role).get(name) ?? "");
  }

  /** By name. */
  list(token: string, role: TeamRole): readonly ServedProject[] {
    return [...this.#visibleTo(token, role).values()].flatMap((id) => this.#projects.get(id) ?? []);
  }

  /** True if the token has this role for every project, also for those that are added later. */
  hasEverywhere(token: string, role: TeamRole): boolean {
    return includesRole(this.#roles.get(token)?.get("all"), role);
  }

  /** The ids of the projects with one of these addresses. */
  idsOf(addresses: readonly string[]): string[] {
    return [...new Set(addresses.flatMap((address) => this.#addresses.get(hostAndPath(address)) ?? []))];
  }

  projects(): Iterable<ServedProject> {
    return this.#projects.values();
  }

  async #readAll(): Promise<void> {
    const sql = this.#database.rows;
    const tokens = await sql(
      TokenRow,
      "SELECT id, name, salt, hash, calls_per_minute, expires_at FROM contextful_team.tokens WHERE revoked_at IS NULL",
    );
    const grants = await sql(Grant, "SELECT token, scope, role FROM contextful_team.grants");
    const projects = await sql(ServedProject, `${PROJECT} ORDER BY name`);
    const roles = new Map<string, Map<string, TeamRole>>();
    for (const { token, scope, role } of grants) {
      const ofToken = roles.get(token) ?? new Map<string, TeamRole>();
      roles.set(token, ofToken.set(scope, role));
    }
    this.#tokens = new Map(tokens.map((token) => [token.id, token]));
    this.#roles = roles;
    this.#projects = new Map(projects.map((project) => [project.id, project]));
    const addresses = new Map<string, string[]>();
    for (const { id, url } of projects) {
      const key = hostAndPath(url);
      addresses.set(key, [...(addresses.get(key) ?? []), id]);
    }
    this.#addresses = addresses;
    this.#visible = new Map();
  }

  #visibleTo(token: string, role: TeamRole): ReadonlyMap<string, string> {
    const key = `${role} ${token}`;
    const known = this.#visible.get(key);
    if (known) return known;
    const roles = this.#roles.get(token) ?? new Map<string, TeamRole>();
    const scopes = ({ id, group_name }: ServedProject) => ["all", `group ${group_name}`, `project ${id}`];
    const visible = [...this.#projects.values()].filter((project) =>
      scopes(project).some((scope) => includesRole(roles.get(scope), role)),
    );
    const byName = new Map(visible.map(({ id, name }) => [name, id]));
    this.#visible.set(key, byName);
    return byName;
  }
}
