import { z } from "zod";
import { collectGarbage } from "../../../core/replica/collect.ts";
import type { TeamStore } from "../../../core/replica/replica.ts";
import type { TeamDatabase } from "../database/team-database.ts";
import { projectKey } from "../projects/project-key.ts";

interface NightlyOptions {
  readonly database: TeamDatabase;
  readonly replica: TeamStore;
  /** How many generations of each project stay. */
  readonly keep: number;
  /** Older rows of the audit table leave. */
  readonly auditDays: number;
  now(): Date;
}
const GRACE_MS = 3_600_000;
const Removed = z.object({ id: z.string(), repository: z.string().nullable() });

/** Removes what nobody needs any more. Any worker may do it, or be killed meanwhile. */
export async function cleanUp({ database, replica, keep, auditDays, now }: NightlyOptions): Promise<void> {
  for (const project of await database.rows(
    Removed,
    "SELECT id, repository FROM contextful_team.removed_projects",
  ))
    await forgetProject(project, { database, replica });
  await collectGarbage(replica, { keep, graceMs: GRACE_MS, now });
  const days = "* interval '1 day'";
  await database.rows(z.unknown(), `DELETE FROM contextful_team.audit WHERE at < now() - $1 ${days}`, [
    auditDays,
  ]);
  await database.rows(
    z.unknown(),
    "DELETE FROM contextful_team.uploads WHERE sent_at < now() - interval '1 day'",
  );
}

/** What clones find by the repository stays as long as another project is a branch or a fork of it. */
async function forgetProject(
  { id, repository }: z.output<typeof Removed>,
  { database, replica }: Pick<NightlyOptions, "database" | "replica">,
): Promise<void> {
  await replica.registry.forget(projectKey(id));
  const others = await database.rows(
    z.unknown(),
    "SELECT FROM contextful_team.projects WHERE repository = $1 LIMIT 1",
    [repository],
  );
  if (repository !== null && others.length === 0) await replica.registry.forget(repository);
  await database.rows(z.unknown(), "DELETE FROM contextful_team.removed_projects WHERE id = $1", [id]);
}
