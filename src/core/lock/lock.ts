import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { DomainError } from "../errors.ts";
import type { Connection } from "../store/driver.ts";
import { prepareFile } from "../store/prepare-file.ts";
import { sqliteDriver } from "../store/sqlite-driver.ts";
import { asStoreError } from "../store/store-errors.ts";
import { hasKernelLocks, tryKernelLock } from "./kernel-lock.ts";

const Holder = z.object({ pid: z.int(), host: z.string(), since: z.string(), purpose: z.string() });
type LockHolder = Readonly<z.infer<typeof Holder>>;

export interface Lock {
  release(): void;
  [Symbol.dispose](): void;
}
interface LockOptions {
  /** One of our own directories: the lock file is written there. */
  readonly directory: string;
  /** Lower-case letters, digits and dashes. */
  readonly name: string;
  /** What the holder does; shown to others who want the lock. */
  readonly purpose: string;
  /** How long to wait for another holder; 0 fails at once. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * A lock between processes that the kernel releases when the holder dies, so no lock is ever stale. Native SQLite locks
 * an open file, also between containers; programs with SQLite as WebAssembly cannot, so all take a second lock that
 * every Node has. Throws `busy` and names the holder.
 */
export async function acquireLock(options: LockOptions): Promise<Lock> {
  options.signal?.throwIfAborted();
  const unlock = await waitForLock(options);
  writeHolder(options);
  let isHeld = true;
  const release = () => {
    if (!isHeld) return;
    isHeld = false;
    removeHolder(options);
    unlock();
  };
  return { release, [Symbol.dispose]: release };
}

/** The last known holder of a lock. It does not say whether the lock is still held. */
export function lockHolder(options: {
  readonly directory: string;
  readonly name: string;
}): LockHolder | undefined {
  try {
    return Holder.parse(JSON.parse(readFileSync(holderFile(options), "utf8")));
  } catch {
    return undefined;
  }
}

const holderFile = ({ directory, name }: { readonly directory: string; readonly name: string }) =>
  join(directory, `${name}.holder.json`);

async function waitForLock(options: LockOptions): Promise<() => void> {
  const { directory, name, waitMs = 0, signal } = options;
  const file = join(directory, `${name}.lock`);
  prepareFile(file);
  let connection: Connection | undefined;
  try {
    connection = openNative(file);
    const until = performance.now() + waitMs;
    for (let wait = 2; ; wait = Math.min(wait * 2, 50)) {
      const unlock = tryLock(file, connection);
      if (unlock) return unlock;
      if (performance.now() >= until) throw busy(options);
      await pause(wait, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
    }
  } catch (thrown) {
    connection?.close();
    throw asStoreError(thrown, file);
  }
}

function openNative(file: string): Connection | undefined {
  const driver = sqliteDriver();
  if (!driver.hasWal) return undefined;
  const connection = driver.open(file, { readOnly: false });
  connection.exec("PRAGMA busy_timeout = 0");
  return connection;
}

function tryLock(path: string, connection: Connection | undefined): (() => void) | undefined {
  if (connection && !tryBegin(connection)) return undefined;
  const stats = statSync(path, { bigint: true });
  if (!stats.isFile()) throw Object.assign(new Error("not a file"), { code: "SQLITE_CANTOPEN" });
  const release = hasKernelLocks()
    ? tryKernelLock({ path, dev: stats.dev, ino: stats.ino }, "held")
    : () => {};
  if (release === undefined) connection?.exec("ROLLBACK");
  return (
    release &&
    (() => {
      release();
      connection?.close();
    })
  );
}

function tryBegin(connection: Connection): boolean {
  try {
    connection.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (thrown) {
    if (thrown instanceof Error && /locked|busy/i.test(thrown.message)) return false;
    throw thrown;
  }
}

function writeHolder(options: LockOptions): void {
  const since = new Date().toISOString();
  const holder: LockHolder = { pid: process.pid, host: hostname(), since, purpose: options.purpose };
  try {
    // Removed first: an existing file could be a link that somebody else created.
    rmSync(holderFile(options), { force: true });
    writeFileSync(holderFile(options), JSON.stringify(holder), { mode: 0o600, flag: "wx" });
  } catch {
    // The file is only for messages: the lock is held without it.
  }
}

function removeHolder(options: LockOptions): void {
  try {
    rmSync(holderFile(options), { force: true });
  } catch {
    // The lock must be released even if the file stays.
  }
}

function busy(options: LockOptions): DomainError {
  const holder = lockHolder(options);
  const who = holder
    ? `process ${holder.pid}${holder.host === hostname() ? "" : ` on ${holder.host}`} (${holder.purpose}) since ${holder.since.slice(11, 19)} UTC`
    : "another process";
  return new DomainError("busy", `${options.name} is held by ${who}. Try again when it is done.`, {
    details: holder ? { holder } : {},
  });
}
