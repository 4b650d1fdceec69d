import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import { unknownProject } from "../access/tokens.ts";
import { isDuplicate, type TeamDatabase } from "../database/team-database.ts";
import { RegisteredProject } from "../schemas.ts";
import { checkAddress, nameOfAddress } from "./project-address.ts";

export interface NewProject {
  readonly url: string;
  readonly name?: string | undefined;
  readonly branch?: string | undefined;
  readonly group?: string | undefined;
}
const RemovedProject = z.object({ id: z.string(), repository: z.string().nullable() });
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._/-]{0,199}$/u;
const BRANCH = /^(?![-/])(?!.*(?:\.\.|\/\/|@\{))[^\s~^:?*[\\\p{Cc}]{1,200}(?<![./])$/u;

/** Registers a repository; a worker indexes it. Returns its name. */
export async function addProject(database: TeamDatabase, added: NewProject, actor: string): Promise<string> {
  const url = checkAddress(added.url);
  const { name = nameOfAddress(url), branch, group } = added;
  if (!NAME.test(name)) throw wrong("name", `Not a name for a project: ${name}`);
  if (branch !== undefined && !BRANCH.test(branch))
    throw wrong("branch", `Not a name for a branch: ${branch}`);
  if (group !== undefined && !NAME.test(group)) throw wrong("group", `Not a name for a group: ${group}`);
  try {
    await database.change({ actor, action: "projects add", target: name, outcome: "done" }, (sql) =>
      sql(
        z.unknown(),
        "INSERT INTO contextful_team.projects (name, url, branch, group_name) VALUES ($1, $2, $3, $4)",
        [name, url, branch ?? null, group ?? null],
      ),
    );
  } catch (thrown) {
    if (!isDuplicate(thrown)) throw thrown;
    throw new DomainError("conflict", `There is a project named ${name}. Give another with --name.`);
  }
  return name;
}

export const listProjects = (database: TeamDatabase): Promise<RegisteredProject[]> =>
  database.rows(
    RegisteredProject,
    `SELECT name, url, branch, group_name AS "group", commit, published_at, checked_at, failure,
            indexed_at IS NULL OR indexed_at < requested_at AS waiting
     FROM contextful_team.projects ORDER BY name`,
  );

/** Its grants go too: a later project of the same name is another one. A worker removes its generations at night. */
export async function removeProject(database: TeamDatabase, name: string, actor: string): Promise<void> {
  await database.change({ actor, action: "projects remove", target: name, outcome: "done" }, async (sql) => {
    const text = "DELETE FROM contextful_team.projects WHERE name = $1 RETURNING id::text, repository";
    const [removed] = await sql(RemovedProject, text, [name]);
    if (!removed) throw unknownProject(name);
    await sql(z.unknown(), "INSERT INTO contextful_team.removed_projects (id, repository) VALUES ($1, $2)", [
      removed.id,
      removed.repository,
    ]);
    await sql(z.unknown(), "DELETE FROM contextful_team.grants WHERE scope = $1", [`project ${removed.id}`]);
  });
}

/** Asks for a new index of these projects. */
export async function requestIndex(database: TeamDatabase, ids: readonly string[]): Promise<void> {
  await database.rows(
    z.unknown(),
    "UPDATE contextful_team.projects SET requested_at = clock_timestamp() WHERE id = ANY($1)",
    [ids],
  );
}

const wrong = (param: string, message: string) =>
  new DomainError("invalid_input", message, { details: { param } });
