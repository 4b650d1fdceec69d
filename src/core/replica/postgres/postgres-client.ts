import type { Pool, PoolClient } from "pg";
import { DomainError } from "../../errors.ts";
import { REPLICA_TABLES } from "./tables.ts";

type PgModule = Pick<typeof import("pg"), "Pool" | "Client">;

const MAX_CONNECTIONS = 4;
const CONNECT_MS = 10_000;
const STATEMENT_MS = 120_000;
/** Any number that no other program uses as an advisory lock in this database. */
const MIGRATION_LOCK = 7_331_0023;

/** The tables that one part of the program owns. Its first migration creates the schema with a row in `schema_version`. */
interface DatabaseTables {
  readonly schema: string;
  readonly migrations: readonly string[];
}

/** Loaded on first use: only teams with a database need the package. */
export async function loadPg(): Promise<PgModule> {
  try {
    const loaded = await import("pg");
    // The package is CommonJS: its names are on the default export.
    return "default" in loaded ? loaded.default : loaded;
  } catch (cause) {
    throw new DomainError(
      "unavailable",
      "A team's database needs the package pg. Run: npm install --global pg (or add it beside contextful)",
      { reason: "pg_missing", cause },
    );
  }
}

/** Connects, and creates or migrates our tables once, whoever comes first. A newer schema is refused. */
export async function openPool(url: string, tables: DatabaseTables = REPLICA_TABLES): Promise<Pool> {
  const { Pool } = await loadPg();
  const pool = new Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    // A server may accept the connection and never answer.
    query_timeout: STATEMENT_MS + CONNECT_MS,
    keepAlive: true,
    allowExitOnIdle: true,
    application_name: "contextful",
  });
  // A connection that breaks while it is idle is replaced by the next query.
  pool.on("error", () => {});
  // A connection may break before its first user listens. Without a listener that would end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  try {
    await withClient(pool, (client) => migrate(client, tables));
    return pool;
  } catch (thrown) {
    await pool.end().catch(() => {});
    throw thrown;
  }
}

/** One transaction; rolled back if `run` throws. */
export const inTransaction = <T>(pool: Pool, run: (client: PoolClient) => Promise<T>): Promise<T> =>
  withClient(pool, async (client) => {
    await client.query("BEGIN");
    try {
      const result = await run(client);
      await client.query("COMMIT");
      return result;
    } catch (thrown) {
      await client.query("ROLLBACK").catch(() => {});
      throw thrown;
    }
  });

export async function withClient<T>(pool: Pool, run: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((cause: unknown) => {
    throw unavailable(cause);
  });
  let failure: Error | undefined;
  const onError = (error: Error) => {
    failure = error;
  };
  client.on("error", onError);
  try {
    return await run(client);
  } catch (thrown) {
    if (thrown instanceof Error && isInterruption(thrown)) failure ??= thrown;
    if (failure === undefined && codeOf(thrown) !== MAY_NOT) throw thrown;
    throw unavailable(thrown);
  } finally {
    client.removeListener("error", onError);
    client.release(failure);
  }
}

/** A server that ends, or has no resources left, says so in answer to a query before the connection breaks. */
const isInterruption = (thrown: Error): boolean =>
  /^(?:08|53|57P)/.test(codeOf(thrown)) ||
  /^(?:Query read timeout|Client has encountered a connection error)/.test(thrown.message);

/** Says nothing about the address: it may hold a password. */
const unavailable = (cause: unknown): DomainError =>
  cause instanceof DomainError
    ? cause
    : new DomainError("unavailable", `The team's database ${refusalOf(cause)}`, {
        reason: "team_unavailable",
        cause,
      });

const MAY_NOT = "42501";

/** What went wrong, and what to do next. */
function refusalOf(cause: unknown): string {
  const code = codeOf(cause);
  // Without a password the library fails by itself, when the server asks for one.
  if (code.startsWith("28") || (cause instanceof Error && cause.message.startsWith("SASL")))
    return "refuses this user or password. Check the user in its address, and PGPASSWORD or ~/.pgpass.";
  if (code === "3D000")
    return "is not on this server. Create it (createdb), or check its name in the address.";
  if (code === MAY_NOT)
    return "does not let this user create or use the tables. Let the user that created them, or the owner of the database, run this.";
  return "cannot be reached. Check that it is running.";
}

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";

async function migrate(client: PoolClient, tables: DatabaseTables): Promise<void> {
  const { schema, migrations } = tables;
  if ((await versionOf(client, tables)) === migrations.length) return;
  await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
  try {
    for (let version = await versionOf(client, tables); version < migrations.length; version++) {
      await client.query("BEGIN");
      await client.query(migrations[version] ?? "");
      await client.query(`UPDATE ${schema}.schema_version SET version = $1`, [version + 1]);
      await client.query("COMMIT");
    }
  } catch (thrown) {
    await client.query("ROLLBACK").catch(() => {});
    throw thrown;
  } finally {
    await client.query("SELECT pg_advisory_unlock($1)", [MIGRATION_LOCK]).catch(() => {});
  }
}

async function versionOf(client: PoolClient, { schema, migrations }: DatabaseTables): Promise<number> {
  const { rows: tables } = await client.query<{ name: string | null }>(
    "SELECT to_regclass($1)::text AS name",
    [`${schema}.schema_version`],
  );
  if (tables[0]?.name == null) return 0;
  const { rows } = await client.query<{ version: number }>(`SELECT version FROM ${schema}.schema_version`);
  const version = rows[0]?.version ?? 0;
  if (version > migrations.length) {
    throw new DomainError(
      "conflict",
      "The team's database was written by a newer contextful. Upgrade this one.",
      {
        reason: "newer_schema",
      },
    );
  }
  return version;
}
