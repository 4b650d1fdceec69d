import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import { isDuplicate, type TeamDatabase } from "../database/team-database.ts";
import { ListedToken, ROLES, type TeamRole } from "../schemas.ts";
import { createToken } from "./token.ts";

export const includesRole = (role: TeamRole | undefined, wanted: TeamRole): boolean =>
  role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(wanted);

interface TokenOptions {
  readonly name: string;
  /** Days from now; `undefined`: it does not expire. */
  readonly days: number | undefined;
  readonly callsPerMinute: number;
}
export interface GrantOptions {
  readonly token: string;
  /** `none` takes the grant away. */
  readonly role: TeamRole | "none";
  readonly project?: string | undefined;
  readonly group?: string | undefined;
}

/** Adds a token without grants: it sees nothing. Returns its text, which is stored nowhere. */
export async function addToken(
  database: TeamDatabase,
  { name, days, callsPerMinute }: TokenOptions,
  actor: string,
): Promise<string> {
  const { id, text, salt, hash } = await createToken();
  try {
    await database.change({ actor, action: "tokens add", target: name, outcome: "done" }, (sql) =>
      sql(
        z.unknown(),
        `INSERT INTO contextful_team.tokens (id, name, salt, hash, calls_per_minute, expires_at)
         VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 day')`,
        [id, name, salt, hash, callsPerMinute, days ?? null],
      ),
    );
  } catch (thrown) {
    if (!isDuplicate(thrown)) throw thrown;
    throw new DomainError("conflict", `There is a token named ${name}. Choose another name.`);
  }
  return text;
}

/** With their grants, by the names of projects and groups. */
export const listTokens = (database: TeamDatabase): Promise<ListedToken[]> =>
  database.rows(
    ListedToken,
    `SELECT name, created_at, expires_at, revoked_at, last_used_at, calls_per_minute, (
       SELECT coalesce(json_agg(json_build_object('scope', coalesce('project ' || projects.name, scope), 'role', role)
                       ORDER BY scope), '[]')
       FROM contextful_team.grants
       LEFT JOIN contextful_team.projects ON scope = 'project ' || projects.id
       WHERE token = tokens.id
     ) AS grants
     FROM contextful_team.tokens ORDER BY name`,
  );

/** Its row stays, for the audit. */
export async function revokeToken(database: TeamDatabase, name: string, actor: string): Promise<void> {
  await database.change({ actor, action: "tokens revoke", target: name, outcome: "done" }, async (sql) => {
    const found = await sql(
      z.unknown(),
      "UPDATE contextful_team.tokens SET revoked_at = coalesce(revoked_at, now()) WHERE name = $1 RETURNING id",
      [name],
    );
    if (found.length === 0) throw unknownToken(name);
  });
}

/** Returns what the grant is for, and how many projects that is now. */
export async function grantRole(
  database: TeamDatabase,
  { token, role, project, group }: GrantOptions,
  actor: string,
): Promise<{ readonly scope: string; readonly projects: number }> {
  const shown = project !== undefined ? `project ${project}` : group !== undefined ? `group ${group}` : "all";
  const entry = { actor, action: `grant ${role}`, target: `${token}: ${shown}`, outcome: "done" } as const;
  return database.change(entry, async (sql) => {
    const idOf = async (table: "tokens" | "projects", name: string) => {
      const text = `SELECT id::text FROM contextful_team.${table} WHERE name = $1`;
      const [row] = await sql(z.object({ id: z.string() }), text, [name]);
      if (!row) throw table === "tokens" ? unknownToken(name) : unknownProject(name);
      return row.id;
    };
    const scope = project === undefined ? shown : `project ${await idOf("projects", project)}`;
    const id = await idOf("tokens", token);
    if (role === "none") {
      await sql(z.unknown(), "DELETE FROM contextful_team.grants WHERE token = $1 AND scope = $2", [
        id,
        scope,
      ]);
    } else {
      await sql(
        z.unknown(),
        `INSERT INTO contextful_team.grants (token, scope, role) VALUES ($1, $2, $3)
         ON CONFLICT (token, scope) DO UPDATE SET role = excluded.role`,
        [id, scope, role],
      );
    }
    const [found] = await sql(
      z.object({ projects: z.int() }),
      `SELECT count(*)::int AS projects FROM contextful_team.projects
       WHERE $1 IN ('all', 'project ' || id, 'group ' || group_name)`,
      [scope],
    );
    return { scope: shown, projects: found?.projects ?? 0 };
  });
}

export const unknownName = (what: "token" | "project", name: string, next: string) =>
  new DomainError("not_found", `There is no ${what} named ${name}. ${next}`, { reason: `unknown_${what}` });
const unknownToken = (name: string) =>
  unknownName("token", name, "contextful team tokens list has those that there are.");
export const unknownProject = (name: string) =>
  unknownName("project", name, "contextful projects list has those that there are.");
