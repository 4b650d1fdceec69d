import { DomainError } from "../errors.ts";
import { hasKernelLocks } from "../lock/kernel-lock.ts";
import type { Connection, Driver, SqlValue, Statement } from "./driver.ts";
import { loadWasmSqlite, type WasmSqlite } from "./wasm-files.ts";

type WasmDatabase = InstanceType<WasmSqlite["Database"]>;
type WasmStatement = ReturnType<WasmDatabase["prepare"]>;

const BUSY_MS = 10_000;
/** Short, because a writer that goes on writing leaves the lock free for only a moment; random, so that all get it. */
const LONGEST_WAIT_MS = 3;

/** The package reports messages without codes. These are their beginnings. */
const CODES: Readonly<Record<string, string>> = {
  "database is locked": "SQLITE_BUSY",
  "attempt to write a readonly database": "SQLITE_READONLY",
  "disk I/O error": "SQLITE_IOERR",
  "database disk image is malformed": "SQLITE_CORRUPT",
  "malformed database schema": "SQLITE_CORRUPT",
  "database or disk is full": "SQLITE_FULL",
  "unable to open database file": "SQLITE_CANTOPEN",
  "file is not a database": "SQLITE_NOTADB",
};

/** SQLite as WebAssembly: it runs on every Node, and nothing is compiled or downloaded. */
export function wasmSqlite(): Driver | undefined {
  const sqlite = hasKernelLocks() ? load() : undefined;
  if (sqlite === undefined) return undefined;
  const open: Driver["open"] = (file, { readOnly }) => {
    const connection = asWasmConnection(openDatabase(sqlite, file, readOnly));
    try {
      // Each page costs a call into Node, so pages are large and stay in memory. Pages written early would lock readers out.
      connection.exec("PRAGMA page_size = 16384; PRAGMA cache_size = -65536; PRAGMA cache_spill = OFF");
      if (readOnly) connection.exec("PRAGMA query_only = ON");
      return connection;
    } catch (thrown) {
      connection.close();
      throw thrown;
    }
  };
  // Without WAL a reader needs no file beside the database.
  const openImmutable: Driver["openImmutable"] = (file) => open(file, { readOnly: true });
  return { name: "node-sqlite3-wasm", hasWal: false, open, openImmutable };
}

function load(): WasmSqlite | undefined {
  try {
    return loadWasmSqlite();
  } catch (cause) {
    // Each instance reserves gigabytes of addresses.
    if (cause instanceof RangeError) {
      throw new DomainError(
        "unavailable",
        "There is not enough memory for SQLite. Raise the limit of memory (ulimit -v), or use Node 22.13 or newer.",
        { cause },
      );
    }
    return undefined;
  }
}

/** A reader must roll back the journal of a killed writer, so it too opens the file for writing if it can. */
function openDatabase({ Database }: WasmSqlite, file: string, readOnly: boolean): WasmDatabase {
  try {
    return new Database(file, { fileMustExist: readOnly });
  } catch (thrown) {
    if (!readOnly)
      throw Object.assign(new Error("unable to open database file", { cause: thrown }), {
        code: "SQLITE_CANTOPEN",
      });
    return new Database(file, { readOnly: true });
  }
}

function asWasmConnection(database: WasmDatabase): Connection {
  const open = new Set<WasmStatement>();
  const prepare = (sql: string): WasmStatement => {
    const statement = withRetry(() => database.prepare(sql));
    open.add(statement);
    return statement;
  };
  const finalize = (statement: WasmStatement) => {
    open.delete(statement);
    try {
      statement.finalize();
    } catch {
      // It repeats the error of its last run.
    }
  };
  return {
    exec: (sql) => withRetry(() => database.exec(sql)),
    prepare: (sql) => asWasmStatement(() => prepare(sql), finalize),
    close() {
      if (!database.isOpen) return;
      // A statement left open would keep the file and its locks.
      for (const statement of [...open]) finalize(statement);
      database.close();
    },
  };
}

/** A statement that failed cannot be run again in this package: it is prepared again. */
function asWasmStatement(
  prepare: () => WasmStatement,
  finalize: (statement: WasmStatement) => void,
): Statement {
  let prepared: WasmStatement | undefined = prepare();
  const run = <T>(use: (statement: WasmStatement) => T): T =>
    withRetry(() => {
      prepared ??= prepare();
      try {
        return use(prepared);
      } catch (thrown) {
        finalize(prepared);
        prepared = undefined;
        throw thrown;
      }
    });
  // All rows at once: a statement that stops in between would go on holding its lock.
  const all = (values: SqlValue[]): unknown[] => run((statement) => statement.all(bindable(values)));
  return {
    run: (...values) => run((statement) => statement.run(bindable(values))),
    get: (...values) => all(values)[0],
    all: (...values) => all(values),
    iterate: (...values) => all(values),
  };
}

/** The package ends a text at its first NUL, and takes booleans and lists, which for us are always a mistake. */
function bindable(values: SqlValue[]): SqlValue[] {
  return values.map((value) => {
    if (typeof value === "string") return value.includes("\0") ? value.replaceAll("\0", "\u{fffd}") : value;
    if (value === null || value instanceof Uint8Array) return value;
    if (typeof value === "number" || typeof value === "bigint") return value;
    throw new TypeError("SQLite takes no such values");
  });
}

/** Waits without using the processor. SQLite's own way of waiting does not sleep in WebAssembly. */
function withRetry<T>(run: () => T): T {
  const until = performance.now() + BUSY_MS;
  for (;;) {
    try {
      return run();
    } catch (thrown) {
      const named = withCode(thrown);
      if (named.code !== "SQLITE_BUSY" || performance.now() >= until) throw named;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * LONGEST_WAIT_MS);
    }
  }
}

function withCode(thrown: unknown): Error & { readonly code?: string } {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const [, code] = Object.entries(CODES).find(([start]) => error.message.startsWith(start)) ?? [];
  return code === undefined ? error : Object.assign(error, { code });
}
