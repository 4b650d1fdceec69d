import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { setImmediate as yieldToLoop } from "node:timers/promises";
import { crc32 } from "node:zlib";
import type { Connection } from "./driver.ts";
import { damaged } from "./store-errors.ts";

const PIECE = 1_048_576;
/** As many bytes of log as SQLite itself lets gather before it copies them into the database. */
const MAX_LOG_BYTES = 4_096_000;
const TRIES = 5;
/** The answer to the change that made a log long is sent by then. */
const SEAL_AFTER_MS = 500;
/** Reading a large index takes a tenth of a search from the command line, so not every process does it. */
const TRUSTED_FOR_MS = 3_600_000;

/**
 * A database with a checksum of its bytes beside it: damage is noticed wherever it is, also in a text or a key, where SQLite sees
 * nothing wrong.
 *
 * With a write-ahead log the database file changes only in `seal`, which removes the checksum before and writes it after. Without
 * one, every transaction removes it, and closing writes it. So a database without a checksum is being written, or its writer was
 * killed; it is read unchecked until the next writer closes it.
 */
export class CheckedFile {
  readonly #file: string;
  readonly #held: HeldFile;
  readonly #readOnly: boolean;
  #hasLog = true;
  #isClosed = false;
  /** False if there was no checksum to compare. */
  readonly isVerified: boolean;

  private constructor(file: string, held: HeldFile, state: { readOnly: boolean; isVerified: boolean }) {
    this.#file = file;
    this.#held = held;
    this.#readOnly = state.readOnly;
    this.isVerified = state.isVerified;
  }

  /** Must precede the connection. Throws if the bytes are not those that were written. */
  static async open(file: string, { readOnly }: { readonly readOnly: boolean }): Promise<CheckedFile> {
    const held = hold(file);
    try {
      held.verified ??= verify(file, held.handle);
      return new CheckedFile(file, held, { readOnly, isVerified: await held.verified });
    } catch (thrown) {
      release(held);
      throw thrown;
    }
  }

  /** Beginning or ending the use of a log changes the database itself. */
  setJournal(connection: Connection, mode: string): void {
    if (usesLog(connection) !== (mode === "WAL")) this.#removeChecksum();
    connection.exec(`PRAGMA journal_mode = ${mode}; PRAGMA wal_autocheckpoint = 0`);
    this.#hasLog = usesLog(connection);
  }

  /** Called before a change, or in its transaction. */
  beforeWrite(): void {
    if (!this.#hasLog) this.#removeChecksum();
  }

  /** Copying a long log takes longer than most changes, so nobody who waits for the change waits for that. */
  sealSoonIfLogIsLong(connection: Connection): void {
    const held = this.#held;
    if (held.sealing || !this.#hasLog || sizeOf(`${this.#file}-wal`) <= MAX_LOG_BYTES) return;
    const timer = setTimeout(() => held.sealing?.finish(), SEAL_AFTER_MS).unref();
    const finish = () => {
      clearTimeout(timer);
      delete held.sealing;
      if (keyOf(this.#file) === held.key) this.seal(connection);
      if (this.#isClosed) this.#end(connection);
    };
    held.sealing = { by: this, finish };
  }

  /** The connection stays open until it has sealed what it will seal soon, at the latest when the others have ended. */
  close(connection: Connection): void {
    const held = this.#held;
    this.#isClosed = true;
    if (held.sealing?.by === this) {
      if (held.users === 1) held.sealing.finish();
      return;
    }
    this.#sealBeforeEnd(connection);
    this.#end(connection);
    if (held.users === 1 && held.sealing && held.sealing.by.#isClosed) held.sealing.finish();
  }

  /** The last connection that ends copies the log into the database, so a connection that may be the last one seals it. */
  #sealBeforeEnd(connection: Connection): void {
    if (this.#readOnly) return;
    const mayBeLast = this.#held.users === 1 && sizeOf(`${this.#file}-wal`) > 0;
    if (mayBeLast || !hasChecksum(this.#file)) this.seal(connection);
  }

  #end(connection: Connection): void {
    connection.close();
    this.release();
  }

  /** Copies the log into the database and writes the checksum. On failure there is none: the next writer makes it. */
  seal(connection: Connection): void {
    const isSealed = this.#hasLog && sizeOf(`${this.#file}-wal`) === 0 && hasChecksum(this.#file);
    if (isSealed) return;
    try {
      this.#removeChecksum();
      for (let tries = 0; tries < TRIES; tries++) if (this.#trySeal(connection)) return;
    } catch {
      // Another process writes for long, or the disk is full.
    }
  }

  /** Must follow the end of the connection. */
  release(): void {
    release(this.#held);
  }

  #removeChecksum(): void {
    rmSync(checksumFile(this.#file), { force: true });
  }

  #trySeal(connection: Connection): boolean {
    connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
    connection.exec("BEGIN IMMEDIATE");
    try {
      // Another process wrote between the two statements.
      if (sizeOf(`${this.#file}-wal`) > 0) return false;
      write(this.#file, checksumOf(this.#held.handle));
      this.#held.verified = Promise.resolve(true);
      return true;
    } finally {
      connection.exec("ROLLBACK");
    }
  }
}

/** Writes the checksum of a database that nobody has open. */
export function sealClosed(file: string): void {
  const handle = openSync(file, "r");
  try {
    write(file, checksumOf(handle));
  } finally {
    closeSync(handle);
  }
}

export const hasChecksum = (file: string): boolean => sizeOf(checksumFile(file)) > 0;

const usesLog = (connection: Connection): boolean =>
  JSON.stringify(connection.prepare("PRAGMA journal_mode").get()) === '{"journal_mode":"wal"}';

const checksumFile = (file: string) => `${file}-sum`;
const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

interface HeldFile {
  readonly key: string;
  readonly handle: number;
  users: number;
  /** Which connection will seal soon. */
  sealing?: { readonly by: CheckedFile; finish(): void };
  /** Once for all connections that this process has at the same time. */
  verified?: Promise<boolean>;
}

/**
 * A process that closes any handle of a file loses all its locks on it, also those of SQLite. So this process reads a database
 * through one handle, which it closes after the last connection.
 */
const heldFiles = new Map<string, HeldFile>();

function hold(file: string): HeldFile {
  const key = keyOf(file);
  const held = heldFiles.get(key) ?? { key, handle: openSync(file, "r"), users: 0 };
  held.users++;
  heldFiles.set(key, held);
  return held;
}

function keyOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return `${stat?.dev} ${stat?.ino}`;
}

function release(held: HeldFile): void {
  held.users--;
  if (held.users > 0) return;
  heldFiles.delete(held.key);
  closeSync(held.handle);
}

/** A writer removes the checksum before it changes the file: a difference is damage only if the same checksum is still there. */
async function verify(file: string, handle: number): Promise<boolean> {
  if (wasVerifiedLately(file)) return true;
  for (let tries = 0; tries < TRIES; tries++) {
    const expected = read(file);
    if (expected === undefined) return false;
    if ((await checksumInTurns(handle)) === expected) {
      noteVerified(file);
      return true;
    }
    if (read(file) === expected) throw damaged(file);
  }
  return false;
}

/** The time of the file with the checksum says when it was last written or compared. */
function wasVerifiedLately(file: string): boolean {
  const age = Date.now() - (statSync(checksumFile(file), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return age >= 0 && age < TRUSTED_FOR_MS;
}

function noteVerified(file: string): void {
  try {
    utimesSync(checksumFile(file), new Date(), new Date());
  } catch {
    // A disk that cannot be written, or a writer that has just removed it.
  }
}

function read(file: string): string | undefined {
  try {
    return /^\d+ \d+$/.exec(readFileSync(checksumFile(file), "utf8"))?.[0];
  } catch {
    return undefined;
  }
}

function write(file: string, checksum: string): void {
  const draft = `${checksumFile(file)}.tmp`;
  writeFileSync(draft, checksum, { mode: 0o600 });
  renameSync(draft, checksumFile(file));
}

/** Lets other work run between pieces. */
async function checksumInTurns(handle: number): Promise<string> {
  const steps = checksumSteps(handle);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    await yieldToLoop();
  }
}

function checksumOf(handle: number): string {
  const steps = checksumSteps(handle);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

function* checksumSteps(handle: number): Generator<void, string> {
  const piece = Buffer.allocUnsafe(Math.min(PIECE, fstatSync(handle).size + 1));
  let bytes = 0;
  let sum = 0;
  for (;;) {
    const length = readSync(handle, piece, 0, piece.length, bytes);
    if (length === 0) return `${bytes} ${sum}`;
    sum = crc32(piece.subarray(0, length), sum);
    bytes += length;
    yield;
  }
}
