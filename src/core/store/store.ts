import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DomainError } from "../errors.ts";
import { CheckedFile } from "./checked-file.ts";
import type { Connection, Driver, Statement } from "./driver.ts";
import { journalIn } from "./journal.ts";
import { prepareFile } from "./prepare-file.ts";
import { hasSchema } from "./schema.ts";
import { sqliteDriver } from "./sqlite-driver.ts";
import { asStoreError, damaged, isStorageFailure } from "./store-errors.ts";

/** One of our databases: migrated; write transactions take the lock at once. */
export interface Store extends Connection {
  readonly file: string;
  /** Statements are cached by their text. */
  prepare(sql: string): Statement;
  /** BEGIN IMMEDIATE … COMMIT; rolls back if `run` throws. `run` must not await. */
  transaction<T>(run: () => T): T;
  /** One consistent view over several reads. */
  snapshot<T>(run: () => T): T;
  /** Copies the write-ahead log into the database. */
  checkpoint(): void;
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
  /** Keeps a checksum beside the file and compares it when the file is opened. Every connection to the file must say so. */
  readonly isChecked?: boolean;
  readonly driver?: Driver;
}

/** Letting SQLite check a larger file would slow the start; its damage is reported when it is read. */
export const MAX_CHECKED_BYTES = 64 * 1024 * 1024;

export async function openStore(options: StoreOptions): Promise<Store> {
  const { file, readOnly = false, isChecked = false, driver = sqliteDriver() } = options;
  if (!readOnly) prepareFile(file);
  else if (!existsSync(file)) throw notThere(file);
  const checked = isChecked ? await CheckedFile.open(file, { readOnly }) : undefined;
  try {
    const opening = { ...options, checked };
    return readOnly ? openForReading(driver, opening) : openForWriting(driver, opening);
  } catch (thrown) {
    checked?.release();
    throw thrown;
  }
}

interface Opening extends StoreOptions {
  readonly checked: CheckedFile | undefined;
}

function openForWriting(driver: Driver, { file, migrations, checked }: Opening): Store {
  const journal = driver.hasWal ? journalIn(dirname(file)) : "TRUNCATE";
  const prepare = (store: Store) => {
    if (checked) checked.setJournal(store, journal);
    else store.exec(`PRAGMA journal_mode = ${journal}`);
    store.exec("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = 67108864");
    migrate(store, migrations);
    // Its last writer was killed.
    if (checked?.isVerified === false && statSync(file).size <= MAX_CHECKED_BYTES) check(store);
  };
  return openWith({ file, checked, prepare, open: () => driver.open(file, { readOnly: false }) });
}

/** A reader of a WAL database needs a file beside it. If the disk does not take that file, the database is read alone. */
function openForReading(driver: Driver, { file, migrations, isForeign = false, checked }: Opening): Store {
  const prepare = (store: Store) => {
    checkReadable(store, migrations.length);
    if (isForeign && !hasSchema(store, migrations, driver)) throw otherTables(file);
  };
  try {
    return openWith({ file, checked, prepare, open: () => driver.open(file, { readOnly: true }) });
  } catch (thrown) {
    if (!isStorageFailure(thrown) || !isWhole(file)) throw thrown;
  }
  return openWith({ file, checked, prepare, open: () => driver.openImmutable(file) });
}

/** Without a log beside it, the file has every committed page. */
const isWhole = (file: string): boolean =>
  (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;

interface Preparation {
  readonly file: string;
  readonly checked: CheckedFile | undefined;
  open(): Connection;
  prepare(store: Store): void;
}

function openWith({ file, checked, open, prepare }: Preparation): Store {
  return guarded(file, () => {
    const connection = open();
    try {
      const store = asStore(file, connection, checked);
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

function asStore(file: string, connection: Connection, checked: CheckedFile | undefined): Store {
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
  const write = <T>(run: () => T): T => {
    if (!isInTransaction) checked?.beforeWrite();
    return guarded(file, run);
  };
  const close = () => (checked ? checked.close(connection) : connection.close());
  return {
    file,
    exec: (sql) => write(() => connection.exec(sql)),
    prepare(sql) {
      const known = statements.get(sql);
      if (known) return known;
      const raw = guarded(file, () => connection.prepare(sql));
      const made: Statement = {
        run: (...values) => write(() => raw.run(...values)),
        get: (...values) => guarded(file, () => raw.get(...values)),
        all: (...values) => guarded(file, () => raw.all(...values)),
        iterate: (...values) => guarded(file, () => raw.iterate(...values)),
      };
      statements.set(sql, made);
      return made;
    },
    close,
    transaction: (run) =>
      guarded(file, () => {
        const isInner = isInTransaction;
        const result = within("BEGIN IMMEDIATE", () => {
          if (!isInner) checked?.beforeWrite();
          return run();
        });
        if (!isInner) checked?.sealSoonIfLogIsLong(connection);
        return result;
      }),
    snapshot: (run) => guarded(file, () => within("BEGIN", run)),
    checkpoint: () =>
      checked ? checked.seal(connection) : void connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get(),
    [Symbol.dispose]: close,
  };
}

/** After a full disk SQLite has already rolled back; then ROLLBACK fails, and the first error is the one to report. */
function rollBack(connection: Connection): void {
  try {
    connection.exec("ROLLBACK");
  } catch {
    // The error that led here is thrown by the caller.
  }
}

/** Throws if SQLite finds the file inconsistent. */
export function check(store: Store): void {
  const rows = store.prepare("PRAGMA quick_check(1)").all();
  if (JSON.stringify(rows) !== '[{"quick_check":"ok"}]') throw damaged(store.file, { details: { rows } });
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
