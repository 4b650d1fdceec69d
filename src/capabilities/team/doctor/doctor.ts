import { z } from "zod";
import { runGit } from "../../../core/git/git.ts";
import type { Machine } from "../../../core/machine.ts";
import type { Finding } from "../../../core/room-offer.ts";
import type { TeamDatabase } from "../database/team-database.ts";

const Counts = z.object({
  projects: z.int(),
  published: z.int(),
  waiting: z.int(),
  failed: z.int(),
  oldest_wait: z.string().nullable(),
  tokens: z.int(),
  without_grants: z.int(),
  denied: z.int(),
  blocks: z.coerce.number(),
  bytes: z.coerce.number(),
  indexing: z.int(),
});
const MEGABYTE = 1_000_000;
/** Blocks in PostgreSQL make its backups and its vacuum slow beyond this size. */
const MANY_BYTES = 200_000 * MEGABYTE;
/** Longer than any worker needs to notice a push. */
const LONG_WAIT_MS = 15 * 60_000;

/** What a team's operator should know: one line for each part. */
export async function teamFindings(database: TeamDatabase, machine: Machine): Promise<Finding[]> {
  const [counts] = await database.rows(
    Counts,
    `SELECT (SELECT count(*)::int FROM contextful_team.projects) AS projects,
            (SELECT count(*)::int FROM contextful_team.projects WHERE commit IS NOT NULL) AS published,
            (SELECT count(*)::int FROM contextful_team.projects WHERE indexed_at IS NULL OR indexed_at < requested_at) AS waiting,
            (SELECT count(*)::int FROM contextful_team.projects WHERE failure IS NOT NULL) AS failed,
            (SELECT min(requested_at) FROM contextful_team.projects WHERE indexed_at IS NULL OR indexed_at < requested_at)
              AS oldest_wait,
            (SELECT count(*)::int FROM contextful_team.tokens WHERE revoked_at IS NULL) AS tokens,
            (SELECT count(*)::int FROM contextful_team.tokens WHERE revoked_at IS NULL
               AND NOT EXISTS (SELECT FROM contextful_team.grants WHERE token = tokens.id)) AS without_grants,
            (SELECT coalesce(sum(times), 0)::int FROM contextful_team.audit
             WHERE outcome = 'denied' AND at > now() - interval '1 day') AS denied,
            (SELECT greatest(reltuples, 0)::bigint FROM pg_class WHERE oid = to_regclass('contextful.blocks')) AS blocks,
            pg_total_relation_size(to_regclass('contextful.blocks')) AS bytes,
            (SELECT count(*)::int FROM contextful.leases WHERE starts_with(name, 'index-') AND expires_at > now()) AS indexing`,
  );
  if (!counts) return [];
  return [
    projectFinding(counts),
    queueFinding(counts, machine.now()),
    accessFinding(counts),
    blockFinding(counts),
    await gitFinding(),
  ];
}

type TeamCounts = z.output<typeof Counts>;

const projectFinding = ({ projects, published, failed }: TeamCounts): Finding => ({
  name: "projects",
  state: failed > 0 ? "problem" : projects === 0 ? "note" : "ok",
  detail: `${projects} registered, ${published} published${failed > 0 ? `, ${failed} failed (contextful projects list)` : ""}`,
});

function queueFinding({ waiting, oldest_wait, indexing }: TeamCounts, now: Date): Finding {
  const waitMs = oldest_wait === null ? 0 : now.getTime() - new Date(oldest_wait).getTime();
  const isStuck = waiting > 0 && waitMs > LONG_WAIT_MS;
  const since = oldest_wait === null ? "" : `, the oldest since ${oldest_wait}`;
  return {
    name: "workers",
    state: isStuck ? "problem" : "ok",
    detail: `${indexing} projects are being indexed, ${waiting} wait${since}${isStuck ? ": start a worker (contextful work)" : ""}`,
  };
}

const accessFinding = ({ tokens, without_grants, denied }: TeamCounts): Finding => ({
  name: "access",
  state: without_grants > 0 || tokens === 0 ? "note" : "ok",
  detail: `${tokens} tokens, ${without_grants} of them without grants; ${denied} calls were denied in the last day`,
});

const blockFinding = ({ blocks, bytes }: TeamCounts): Finding => ({
  name: "blocks",
  state: bytes > MANY_BYTES ? "problem" : "ok",
  detail: `about ${blocks} in ${Math.round(bytes / MEGABYTE)} MB${bytes > MANY_BYTES ? ": move them to S3 (docs/TEAM.md)" : ""}`,
});

async function gitFinding(): Promise<Finding> {
  const version = await runGit(["version"], { cwd: "/" }).then(
    ({ stdout }) => stdout.toString("utf8").trim(),
    () => undefined,
  );
  return version === undefined
    ? { name: "git", state: "problem", detail: "not found: workers need it" }
    : { name: "git", state: "ok", detail: version };
}
