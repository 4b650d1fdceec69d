import { mkdirSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { DomainError } from "../errors.ts";
import { sqliteDriver } from "../store/store.ts";

export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
  readonly purpose: string;
}
export interface Lock {
  release(): void;
  [Symbol.dispose](): void;
}
export interface LockOptions {
  /** Directory of our own where the lock's file lives. */
  readonly directory: string;
  /** Lower-case letters, digits and dashes. */
  readonly name: string;
  /** What the holder does, for the message of those who wait. */
  readonly purpose: string;
  /** How long to wait for another holder; 0 answers at once. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * A lock between processes that the kernel releases when its holder dies: an exclusive SQLite transaction on a
 * small database, that is, a lock on an open file, so there is no stale lock to steal. Throws `busy` with the holder.
 */
export async function acquireLock({
  directory,
  name,
  purpose,
  waitMs = 0,
  signal,
}: LockOptions): Promise<Lock> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const driver = await sqliteDriver();
  const connection = driver.open(join(directory, `${name}.lock`), { readOnly: false });
  const give = () => connection.close();
  try {
    connection.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE");
    const until = performance.now() + waitMs;
    while (!tryBegin(connection)) {
      signal?.throwIfAborted();
      if (performance.now() >= until) throw busy(purpose);
      await pause(10);
    }
    return { release: give, [Symbol.dispose]: give };
  } catch (thrown) {
    give();
    throw thrown;
  }
}

function tryBegin(connection: { exec(sql: string): void }): boolean {
  try {
    connection.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (thrown) {
    if (thrown instanceof Error && /locked|busy/i.test(thrown.message)) return false;
    throw thrown;
  }
}

const busy = (purpose: string) =>
  new DomainError(
    "busy",
    `Another process is busy with this (${purpose}, ${hostname()}). Try again when it is done.`,
  );
