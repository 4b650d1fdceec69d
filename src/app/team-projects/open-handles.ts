interface OpenHandlesOptions<Version, T> {
  readonly maxOpen: number;
  isSame(a: Version, b: Version): boolean;
  /** `before` is what the key had until now; it stays open meanwhile. */
  open(version: Version, before: T | undefined): Promise<T>;
  close(value: T): Promise<void>;
}
interface OpenHandle<Version, T> {
  readonly version: Version;
  readonly opening: Promise<T>;
  users: number;
  /** Not used again: it closes when its last user is done. */
  isRetired: boolean;
}

/** Keeps things open that calls share: one for each key, in the version that was asked for last. */
export class OpenHandles<Version, T> {
  readonly #options: OpenHandlesOptions<Version, T>;
  /** By key, least recently used first. */
  readonly #opened = new Map<string, OpenHandle<Version, T>>();

  constructor(options: OpenHandlesOptions<Version, T>) {
    this.#options = options;
  }

  /** The value stays open until `run` ends. */
  async use<R>(key: string, version: Version, run: (value: T) => R | Promise<R>): Promise<R> {
    const handle = this.#current(key, version);
    handle.users++;
    try {
      return await run(await handle.opening);
    } finally {
      handle.users--;
      await this.#closeUnused(handle);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#opened].map(([key, handle]) => this.#retire(key, handle)));
  }

  /** Must not await between looking and adding: concurrent calls share one entry. */
  #current(key: string, version: Version): OpenHandle<Version, T> {
    const known = this.#opened.get(key);
    const isSame = known !== undefined && this.#options.isSame(known.version, version);
    const handle = isSame ? known : this.#replace(key, version, known);
    this.#opened.delete(key);
    this.#opened.set(key, handle);
    const [oldest] = this.#opened;
    if (oldest && this.#opened.size > this.#options.maxOpen) void this.#retire(...oldest);
    return handle;
  }

  #replace(key: string, version: Version, known: OpenHandle<Version, T> | undefined): OpenHandle<Version, T> {
    if (known) known.users++;
    const open = async () => {
      try {
        return await this.#options.open(version, await known?.opening.catch(() => undefined));
      } catch (thrown) {
        // The next call tries again.
        void this.#retire(key, handle);
        throw thrown;
      } finally {
        if (known) {
          known.users--;
          void this.#retire(key, known);
        }
      }
    };
    const handle = { version, opening: Promise.resolve().then(open), users: 0, isRetired: false };
    return handle;
  }

  async #retire(key: string, handle: OpenHandle<Version, T>): Promise<void> {
    if (this.#opened.get(key) === handle) this.#opened.delete(key);
    handle.isRetired = true;
    await this.#closeUnused(handle);
  }

  async #closeUnused(handle: OpenHandle<Version, T>): Promise<void> {
    if (!handle.isRetired || handle.users > 0) return;
    // Two users may end at the same time.
    handle.users = Number.NEGATIVE_INFINITY;
    const value = await handle.opening.catch(() => undefined);
    if (value !== undefined) await this.#options.close(value);
  }
}
