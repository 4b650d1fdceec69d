import { join } from "node:path";
import { asDomainError } from "../errors.ts";
import { type Logger, silentLogger } from "../logger.ts";
import { openOrRebuild } from "./rebuild.ts";
import { databaseDirectory } from "./sqlite-driver.ts";
import type { Store } from "./store.ts";

const DAY_MS = 86_400_000;

export interface CacheFileOptions {
  readonly home: string;
  now(): Date;
  readonly logger?: Logger;
}

/** A database of our data directory that all projects share. A cache: every failure of it only costs the work again. */
export class CacheFile {
  readonly #options: CacheFileOptions;
  readonly #name: string;
  readonly #migrations: readonly string[];
  #opened: Promise<Store> | undefined;

  constructor(name: string, migrations: readonly string[], options: CacheFileOptions) {
    this.#name = name;
    this.#migrations = migrations;
    this.#options = options;
  }

  /** In one transaction; `otherwise` where the file is damaged, busy, on a full disk or not ours to write. */
  tried<T>(otherwise: T, use: (store: Store) => T): Promise<T> {
    return this.#use(otherwise, (store) => store.transaction(() => use(store)));
  }

  /** The same, without writing. */
  read<T>(otherwise: T, use: (store: Store) => T): Promise<T> {
    return this.#use(otherwise, (store) => store.snapshot(() => use(store)));
  }

  /** Days since 1970: entries note when they were last used. */
  today(): number {
    return Math.floor(this.#options.now().getTime() / DAY_MS);
  }

  async close(): Promise<void> {
    const closing = this.#opened;
    this.#opened = undefined;
    (await closing?.catch(() => undefined))?.close();
  }

  async #use<T>(otherwise: T, use: (store: Store) => T): Promise<T> {
    try {
      return use(await this.#store());
    } catch (thrown) {
      if (asDomainError(thrown).code === "internal") throw thrown;
      return otherwise;
    }
  }

  #store(): Promise<Store> {
    const { home, logger = silentLogger } = this.#options;
    this.#opened ??= openOrRebuild({
      file: join(databaseDirectory(home), this.#name),
      migrations: this.#migrations,
      logger,
    }).catch((thrown: unknown) => {
      this.#opened = undefined;
      throw thrown;
    });
    return this.#opened;
  }
}
