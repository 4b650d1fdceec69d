import type { Pool, PoolClient } from "pg";
import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import { inTransaction, openPool, withClient } from "../../../core/replica/postgres/postgres-client.ts";
import { listenForNews } from "../../../core/replica/postgres/postgres-listener.ts";
import { TEAM_TABLES } from "./tables.ts";

/** Any number that no other program uses as an advisory lock in this database. */
const EXCLUSIVE_LOCK = 7_331_0024;

/** One row of the audit table: a write, or a call that was denied. */
export interface AuditEntry {
  /** The token's name, or who ran the command. */
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly outcome: "done" | "denied";
  readonly address?: string;
  readonly times?: number;
}

/** A query that can be run alone or in a transaction. */
type SqlRunner = <Row extends z.ZodType>(
  row: Row,
  text: string,
  values?: readonly unknown[],
) => Promise<z.output<Row>[]>;

/** Our tables in the team's database. Every change is in one transaction with its row in the audit table. */
export class TeamDatabase implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #url: string;

  private constructor(pool: Pool, url: string) {
    this.#pool = pool;
    this.#url = url;
  }

  static async open(url: string): Promise<TeamDatabase> {
    return new TeamDatabase(await openPool(url, TEAM_TABLES), url);
  }

  readonly rows: SqlRunner = (row, text, values) =>
    withClient(this.#pool, (client) => sqlRunner(client)(row, text, values));

  change<T>(entry: AuditEntry, run: (sql: SqlRunner) => Promise<T>): Promise<T> {
    return inTransaction(this.#pool, async (client) => {
      const result = await run(sqlRunner(client));
      await insertAudit(sqlRunner(client), [entry]);
      return result;
    });
  }

  /**
   * Calls `onNews` after each connect and each notification of the channel, until `signal` aborts. Default: changes of what
   * servers keep in memory.
   */
  listen(onNews: () => void, signal: AbortSignal, channel: string = TEAM_TABLES.schema): Promise<void> {
    return listenForNews({ url: this.#url, channel, signal, onNews });
  }

  /** One process at a time, for what cannot be done twice at once. */
  exclusively<T>(run: () => Promise<T>): Promise<T> {
    return withClient(this.#pool, async (client) => {
      await client.query("SELECT pg_advisory_lock($1)", [EXCLUSIVE_LOCK]);
      try {
        return await run();
      } finally {
        await client.query("SELECT pg_advisory_unlock($1)", [EXCLUSIVE_LOCK]).catch(() => {});
      }
    });
  }

  async audit(entries: readonly AuditEntry[]): Promise<void> {
    await insertAudit(this.rows, entries);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.end();
  }
}

const sqlRunner =
  (client: PoolClient): SqlRunner =>
  async (row, text, values = []) => {
    const { rows } = await client.query<Record<string, unknown>>(text, [...values]);
    return z.array(row).parse(rows.map(withTextTimes));
  };

/** Times are ISO 8601 in UTC, as everywhere else. */
const withTextTimes = (row: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  );

async function insertAudit(sql: SqlRunner, entries: readonly AuditEntry[]): Promise<void> {
  await sql(
    z.unknown(),
    `INSERT INTO contextful_team.audit (actor, action, target, outcome, address, times)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[])`,
    [
      entries.map(({ actor }) => actor),
      entries.map(({ action }) => action),
      entries.map(({ target }) => target),
      entries.map(({ outcome }) => outcome),
      entries.map(({ address = "" }) => address),
      entries.map(({ times = 1 }) => times),
    ],
  );
}

/** The database that a command was given, or that the environment names: there its password is in no list of processes. */
export function databaseUrl(
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const url = given ?? env["CONTEXTFUL_DATABASE"];
  if (url !== undefined && /^postgres(?:ql)?:\/\//.test(url)) return url;
  throw new DomainError(
    "invalid_input",
    "Name the team's database: --database postgres://HOST/NAME, or CONTEXTFUL_DATABASE in the environment.",
    { reason: "config" },
  );
}

/** True if PostgreSQL refused a second row with the same key. */
export const isDuplicate = (thrown: unknown): boolean =>
  thrown instanceof Error && "code" in thrown && thrown.code === "23505";
