import { type LockedFile, type ReleaseKernelLock, tryKernelLock } from "../lock/kernel-lock.ts";

/** SQLite's lock levels. */
const NONE = 0;
const SHARED = 1;
const RESERVED = 2;

/** The most connections that can read at the same instant; a further one waits. */
const READERS = Array.from({ length: 16 }, (_, at) => `reader-${at}`);

/**
 * SQLite's lock protocol for one connection, made of exclusive kernel locks. A reader holds one of the reader locks and a
 * writer all of them while it changes the file. `pending` keeps new readers out while a writer waits for the old ones.
 */
export class DatabaseLocks {
  readonly #file: LockedFile;
  readonly #held = new Map<string, ReleaseKernelLock>();

  constructor(file: LockedFile) {
    this.#file = file;
  }

  /** Raises the level. False means busy: SQLite then reports it, and the caller tries again. */
  raise(level: number): boolean {
    if (level === SHARED) return this.#hasReader() || this.#beginReading();
    if (level === RESERVED) return this.#take("reserved");
    return this.#take("pending") && this.#takeAllReaders();
  }

  lower(level: number): void {
    const kept = level === NONE ? undefined : READERS.find((name) => this.#held.has(name));
    for (const [name, release] of this.#held) {
      if (name === kept) continue;
      this.#held.delete(name);
      release();
    }
  }

  /** Whether any connection is about to write. */
  isReserved(): boolean {
    if (this.#held.has("reserved")) return true;
    const release = tryKernelLock(this.#file, "reserved");
    release?.();
    return release === undefined;
  }

  #hasReader = () => READERS.some((name) => this.#held.has(name));

  #beginReading(): boolean {
    if (!this.#take("pending")) return false;
    const first = process.pid % READERS.length;
    const found = READERS.some((_, at) => this.#take(READERS[(first + at) % READERS.length] ?? ""));
    this.#release("pending");
    return found;
  }

  /** On failure `pending` stays held, so that the readers drain before the next attempt. */
  #takeAllReaders(): boolean {
    const own = READERS.find((name) => this.#held.has(name));
    if (READERS.every((name) => this.#take(name))) return true;
    for (const name of READERS) if (name !== own) this.#release(name);
    return false;
  }

  #take(name: string): boolean {
    if (this.#held.has(name)) return true;
    const release = tryKernelLock(this.#file, name);
    if (release) this.#held.set(name, release);
    return release !== undefined;
  }

  #release(name: string): void {
    this.#held.get(name)?.();
    this.#held.delete(name);
  }
}
