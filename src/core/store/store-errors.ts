import { accessSync, constants, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { DomainError, errnoOf } from "../errors.ts";

/** SQLite's primary result codes that mean something to a user. */
const CODES = {
  5: "BUSY",
  6: "LOCKED",
  8: "READONLY",
  10: "IOERR",
  11: "CORRUPT",
  13: "FULL",
  14: "CANTOPEN",
  26: "NOTADB",
};

/** Turns an SQLite error into a message the user can act on. Constraint errors and bugs are returned unchanged. */
export function asStoreError(thrown: unknown, file: string): unknown {
  if (thrown instanceof DomainError) return thrown;
  switch (sqliteCode(thrown)) {
    case "FULL":
      return diskFull(thrown);
    case "CORRUPT":
    case "NOTADB":
      return damaged(file, { cause: thrown });
    case "BUSY":
    case "LOCKED":
      return new DomainError("busy", "Another process is writing. Try again in a moment.", { cause: thrown });
    case "READONLY":
    case "CANTOPEN":
    case "IOERR":
      return diskError(thrown, file);
    default:
      return thrown;
  }
}

export const damaged = (
  file: string,
  more: { readonly cause?: unknown; readonly details?: Record<string, unknown> } = {},
): DomainError =>
  new DomainError("unavailable", `Damaged: ${file}. It is set aside and rebuilt at the next start.`, {
    reason: DAMAGED,
    ...more,
  });

const DAMAGED = "damaged";
const NOT_WRITABLE = "store_readonly";
/** SQLite's smallest file beside a database. */
const NEEDED_BYTES = 32 * 1024;

/** SQLite reports "cannot open" or "I/O error" for a full disk too, so the disk itself is asked. */
function diskError(cause: unknown, file: string): DomainError {
  const directory = dirname(file);
  if (freeBytes(directory) < NEEDED_BYTES) return diskFull(cause);
  const advice = isReadOnly(directory)
    ? "Its file system is read-only. Set CONTEXTFUL_HOME to a directory that can be written."
    : "Check that its directory exists and is yours to write.";
  return new DomainError("unavailable", `Cannot use ${file}. ${advice}`, { reason: NOT_WRITABLE, cause });
}

const diskFull = (cause: unknown) =>
  new DomainError("disk_full", "The disk is full. Free some space and try again; nothing was lost.", {
    cause,
  });

function freeBytes(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function isReadOnly(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return false;
  } catch (thrown) {
    return errnoOf(thrown) === "EROFS";
  }
}

/** True if the disk took no writes: it is full, read-only or not ours. The database itself may be in order. */
export const isStorageFailure = (thrown: unknown): boolean =>
  thrown instanceof DomainError && (thrown.code === "disk_full" || thrown.reason === NOT_WRITABLE);

/** True if a store's error means that its file is damaged. */
export const isDamage = (thrown: unknown): boolean =>
  thrown instanceof DomainError && thrown.reason === DAMAGED;

/** Errors of the file system that occur before SQLite is called. */
export function asDirectoryError(thrown: unknown, file: string): unknown {
  if (errnoOf(thrown) === "ENOSPC") return diskFull(thrown);
  return new DomainError(
    "unavailable",
    `Cannot write ${file}: ${errnoOf(thrown) ?? "unknown error"}. Set CONTEXTFUL_HOME to a directory of yours.`,
    {
      reason: NOT_WRITABLE,
      cause: thrown,
    },
  );
}

/** `FULL` of `SQLITE_FULL` (add-on) or of result code 13 (built in). */
function sqliteCode(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const named = /^SQLITE_([A-Z]+)/.exec(errnoOf(thrown) ?? "")?.[1];
  if (named !== undefined) return named;
  const number = "errcode" in thrown && typeof thrown.errcode === "number" ? thrown.errcode & 0xff : 0;
  return Object.entries(CODES).find(([code]) => Number(code) === number)?.[1];
}
