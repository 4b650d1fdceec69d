import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DomainError } from "../errors.ts";
import type { Connection, Driver, Statement } from "./driver.ts";
import { journalIn } from "./journal.ts";
import { prepareFile } from "./prepare-file.ts";
import { hasSchema } from "./schema.ts";
import { sqliteDriver } from "./sqlite-driver.ts";
import { asStoreError, isStorageFailure } from "./store-errors.ts";

/** One of our databases: migrated; write transactions take the lock at once. */
export interface Store extends Connection {
  readonly file: string;
  /** Statements are cached by their text. */
  prepare(sql: string): Statement;
  /** BEGIN IMMEDIATE … COMMIT; rolls back if `run` throws. `run` must not await. */
  transaction<T>(run: () => T): T;
  /** One consistent view over several reads. */
  snapshot<T>(run: () => T): T;
  [Symbol.dispose](): void;
}

export interface StoreOptions {
  readonly file: string;
  /** Applied in order, each in its own transaction; `user_version` counts them. Append only: never edit a released one. */
  readonly migrations: readonly string[];
  /** A read-only open never creates, migrates or locks; it throws `not_found` if there is no database yet. */
  readonly readOnly?: boolean;
  /** With `readOnly`: another machine made the file, so it must have exactly the tables of the migrations. */
  readonly isForeign?: boolean;
  readonly driver?: Driver;
}

export async function openStore({
  file,
  migrations,
  readOnly = false,
  isForeign = false,
  driver,
}: StoreOptions): Promise<Store> {
  const chosen = driver ?? sqliteDriver();
  if (readOnly) return openForReading(chosen, { file, migrations, isForeign });
  prepareFile(file);
  return openWith(
    file,
    () => chosen.open(file, { readOnly }),
    (store) => {
      store.exec(
        `PRAGMA journal_mode = ${chosen.hasWal ? journalIn(dirname(file)) : "TRUNCATE"}; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = 67108864`,
      );
      migrate(store, migrations);
    },
  );
}

/** A reader of a WAL database needs a file beside it. If the disk does not take that file, the database is read alone. */
function openForReading(driver: Driver, { file, migrations, isForeign }: StoreOptions): Store {
  if (!existsSync(file)) throw notThere(file);
  const check = (store: Store) => {
    checkReadable(store, migrations.length);
    if (isForeign && !hasSchema(store, migrations, driver)) throw otherTables(file);
  };
  try {
    return openWith(file, () => driver.open(file, { readOnly: true }), check);
  } catch (thrown) {
    if (!isStorageFailure(thrown) || !isWhole(file)) throw thrown;
  }
  return openWith(file, () => driver.openImmutable(file), check);
}

/** Without a log beside it, the file has every committed page. */
const isWhole = (file: string): boolean =>
  (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;

function openWith(file: string, open: () => Connection, prepare: (store: Store) => void): Store {
  return guarded(file, () => {
    const connection = open();
    try {
      const store = asStore(file, connection);
      prepare(store);
      return store;
    } catch (thrown) {
      connection.close();
      throw thrown;
    }
  });
}

const notThere = (file: string) => new DomainError("not_found", `There is no ${file} yet.`);

function guarded<T>(file: string, run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    throw asStoreError(thrown, file);
  }
}

function asStore(file: string, connection: Connection): Store {
  let isInTransaction = false;
  const statements = new Map<string, Statement>();
  const within = <T>(begin: string, run: () => T): T => {
    // A room's transaction may contain one of the search index: the inner one joins the outer one.
    if (isInTransaction) return run();
    connection.exec(begin);
    isInTransaction = true;
    try {
      const result = run();
      connection.exec("COMMIT");
      return result;
    } catch (thrown) {
      rollBack(connection);
      throw thrown;
    } finally {
      isInTransaction = false;
    }
  };
  return {
    file,
    exec: (sql) => guarded(file, () => connection.exec(sql)),
    prepare(sql) {
      const known = statements.get(sql);
      if (known) return known;
      const raw = guarded(file, () => connection.prepare(sql));
      const made = guardedStatement(file, raw);
      statements.set(sql, made);
      return made;
    },
    close: () => connection.close(),
    transaction: (run) => guarded(file, () => within("BEGIN IMMEDIATE", run)),
    snapshot: (run) => guarded(file, () => within("BEGIN", run)),
    [Symbol.dispose]: () => connection.close(),
  };
}

const guardedStatement = (file: string, raw: Statement): Statement => ({
  run: (...values) => guarded(file, () => raw.run(...values)),
  get: (...values) => guarded(file, () => raw.get(...values)),
  all: (...values) => guarded(file, () => raw.all(...values)),
  iterate: (...values) => guarded(file, () => raw.iterate(...values)),
});

/** After a full disk SQLite has already rolled back; then ROLLBACK fails, and the first error is the one to report. */
function rollBack(connection: Connection): void {
  try {
    connection.exec("ROLLBACK");
  } catch {
    // The error that led here is thrown by the caller.
  }
}

/** A reader never migrates: it treats an older file as missing until a writer has migrated it. */
function checkReadable(store: Store, version: number): void {
  const found = schemaVersion(store);
  if (found > version) throw newer(store.file);
  if (found < version) throw notThere(store.file);
}

const otherTables = (file: string) =>
  new DomainError("unavailable", `${file} does not have our tables. Remove it: it is made anew.`, {
    reason: "damaged",
  });

const newer = (file: string) =>
  new DomainError(
    "conflict",
    `${file} was written by a newer contextful. Upgrade this one, or use its own data directory.`,
    { reason: "newer_schema" },
  );

function migrate(store: Store, migrations: readonly string[]): void {
  const version = schemaVersion(store);
  if (version > migrations.length) throw newer(store.file);
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue;
    store.transaction(() => {
      // Another process may have migrated while we waited for the lock.
      if (schemaVersion(store) > index) return;
      store.exec(sql);
      store.exec(`PRAGMA user_version = ${index + 1}`);
    });
  }
  // If another process migrated meanwhile, SQLite still knows no tables. Reading waits for the lock and learns them; preparing
  // a statement while the file is locked would fail.
  store.prepare("SELECT count(*) FROM sqlite_master").get();
}

function schemaVersion(store: Connection): number {
  const row = store.prepare("PRAGMA user_version").get();
  return typeof row === "object" && row !== null && "user_version" in row ? Number(row.user_version) : 0;
}
