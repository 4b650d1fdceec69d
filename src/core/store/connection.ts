import type { Connection, SqlValue, Statement } from "./driver.ts";

interface RawStatement {
  run(...values: SqlValue[]): { readonly changes: number | bigint };
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
  iterate(...values: SqlValue[]): Iterable<unknown>;
}
interface RawDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): RawStatement;
  close(): unknown;
}

/** The common behaviour of the native drivers: counts are numbers, and values are never objects. */
export function asConnection(database: RawDatabase): Connection {
  database.exec("PRAGMA busy_timeout = 5000");
  return {
    exec: (sql) => void database.exec(sql),
    prepare: (sql) => asStatement(database.prepare(sql)),
    close: () => void database.close(),
  };
}

const asStatement = (raw: RawStatement): Statement => ({
  run: (...values) => ({ changes: Number(raw.run(...checked(values)).changes) }),
  get: (...values) => raw.get(...checked(values)),
  all: (...values) => raw.all(...checked(values)),
  iterate: (...values) => raw.iterate(...checked(values)),
});

/** Both drivers accept some objects as named values; in our code that is always a mistake. */
function checked(values: SqlValue[]): SqlValue[] {
  for (const value of values) {
    if (typeof value !== "object" || value === null || value instanceof Uint8Array) continue;
    throw new TypeError("SQLite takes no objects as values");
  }
  return values;
}
