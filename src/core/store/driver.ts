export type SqlValue = null | number | bigint | string | Uint8Array;

export interface Statement {
  run(...values: SqlValue[]): { readonly changes: number };
  /** Rows are unknown: the caller parses them with a schema. */
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
  iterate(...values: SqlValue[]): Iterable<unknown>;
}

/** The part of SQLite that we need, provided by every driver. Everything is synchronous. */
export interface Connection {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export interface Driver {
  readonly name: "node:sqlite" | "better-sqlite3" | "node-sqlite3-wasm";
  /** Whether readers go on while a writer commits. */
  readonly hasWal: boolean;
  /** Its statements wait some seconds for other processes. */
  open(file: string, options: { readonly readOnly: boolean }): Connection;
  /** Reads a database that nobody writes, and writes nothing beside it: for a disk that is full or read-only. */
  openImmutable(file: string): Connection;
}
