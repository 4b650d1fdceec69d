import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DomainError } from "../errors.ts";
import { once } from "../lazy.ts";
import { loadBetterSqlite } from "./better-sqlite.ts";
import type { Connection, Driver } from "./driver.ts";
import { loadNodeSqlite } from "./node-sqlite.ts";

/** A database of ours: migrated, in WAL mode, with write transactions that take the lock at once. */
export interface Store extends Connection {
  readonly file: string;
  /** BEGIN IMMEDIATE … COMMIT; rolls back when `run` throws. `run` must not await. */
  transaction<T>(run: () => T): T;
  /** One consistent view over several reads. */
  snapshot<T>(run: () => T): T;
  [Symbol.dispose](): void;
}

export interface StoreOptions {
  readonly file: string;
  /** Applied in order, each in its own transaction; `user_version` counts them. Never edited once released, only added to. */
  readonly migrations: readonly string[];
  /** A read-only open never creates, migrates or locks; it throws `not_found` where there is no database yet. */
  readonly readOnly?: boolean;
  readonly driver?: Driver;
}

/** The built-in driver where Node has it, else the native add-on. */
export const sqliteDriver = once(async (): Promise<Driver> => {
  const driver = (await loadNodeSqlite()) ?? (await loadBetterSqlite());
  if (driver) return driver;
  throw new DomainError(
    "unavailable",
    "No SQLite here: use Node 22.13 or newer, or install better-sqlite3 (npm install better-sqlite3@12).",
  );
});

export async function openStore({
  file,
  migrations,
  readOnly = false,
  driver,
}: StoreOptions): Promise<Store> {
  const chosen = driver ?? (await sqliteDriver());
  if (!readOnly) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const connection = chosen.open(file, { readOnly });
  connection.exec("PRAGMA busy_timeout = 5000");
  const store = asStore(file, connection);
  if (!readOnly) {
    connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
    migrate(store, migrations);
  }
  return store;
}

function asStore(file: string, connection: Connection): Store {
  let isInside = false;
  const within = <T>(begin: string, run: () => T): T => {
    // A room's transaction may hold the search index's: the inner one joins.
    if (isInside) return run();
    connection.exec(begin);
    isInside = true;
    try {
      const result = run();
      connection.exec("COMMIT");
      return result;
    } catch (thrown) {
      connection.exec("ROLLBACK");
      throw thrown;
    } finally {
      isInside = false;
    }
  };
  return {
    file,
    exec: (sql) => connection.exec(sql),
    prepare: (sql) => connection.prepare(sql),
    close: () => connection.close(),
    transaction: (run) => within("BEGIN IMMEDIATE", run),
    snapshot: (run) => within("BEGIN", run),
    [Symbol.dispose]: () => connection.close(),
  };
}

function migrate(store: Store, migrations: readonly string[]): void {
  const version = schemaVersion(store);
  if (version > migrations.length) {
    throw new DomainError(
      "conflict",
      `${store.file} was written by a newer contextful. Upgrade this one, or use its own data directory.`,
    );
  }
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue;
    store.transaction(() => {
      // Another process may have migrated while we waited for the lock.
      if (schemaVersion(store) > index) return;
      store.exec(sql);
      store.exec(`PRAGMA user_version = ${index + 1}`);
    });
  }
}

function schemaVersion(store: Connection): number {
  const row = store.prepare("PRAGMA user_version").get();
  return typeof row === "object" && row !== null && "user_version" in row ? Number(row.user_version) : 0;
}
