import { sha256 } from "../../hash.ts";
import { CacheFile, type CacheFileOptions } from "../../store/cache-file.ts";
import { asBytes } from "../postings/bytes.ts";
import type { ModelIdentity } from "../search-index.ts";
import { blobIn, numberIn } from "../segments/rows.ts";

const MIGRATIONS = [
  `
  CREATE TABLE vectors (
    key BLOB PRIMARY KEY,
    day INTEGER NOT NULL,
    scale REAL NOT NULL,
    components BLOB NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX vectors_by_day ON vectors (day);
  `,
];

export interface CachedVector {
  readonly scale: number;
  readonly row: Int8Array;
}
interface VectorCacheOptions extends CacheFileOptions {
  readonly maxVectors?: number;
  readonly maxDays?: number;
}

/**
 * Vectors by model and text, in one file for all projects: unchanged text is never embedded twice, in any worktree or
 * branch. Pruned by age and number.
 */
export class VectorCache {
  readonly #options: VectorCacheOptions;
  readonly #file: CacheFile;

  constructor(options: VectorCacheOptions) {
    this.#options = options;
    this.#file = new CacheFile("vectors.sqlite", MIGRATIONS, options);
  }

  /** A vector or `undefined` for each text, in order. */
  get(model: ModelIdentity, texts: readonly string[]): Promise<(CachedVector | undefined)[]> {
    const nothing = texts.map(() => undefined);
    return this.#file.tried<(CachedVector | undefined)[]>(nothing, (store) => {
      const find = store.prepare("SELECT day, scale, components FROM vectors WHERE key = ?");
      const touch = store.prepare("UPDATE vectors SET day = ? WHERE key = ?");
      const today = this.#file.today();
      return texts.map((text) => {
        const key = keyOf(model, text);
        const row = find.get(key);
        const components = blobIn(row, "components");
        if (!components) return undefined;
        if (numberIn(row, "day") !== today) touch.run(today, key);
        const own = new Uint8Array(components);
        return { scale: numberIn(row, "scale"), row: new Int8Array(own.buffer) };
      });
    });
  }

  put(model: ModelIdentity, texts: readonly string[], vectors: readonly CachedVector[]): Promise<void> {
    return this.#file.tried(undefined, (store) => {
      const insert = store.prepare(
        "INSERT OR REPLACE INTO vectors (key, day, scale, components) VALUES (?, ?, ?, ?)",
      );
      for (const [index, { scale, row }] of vectors.entries()) {
        insert.run(keyOf(model, texts[index] ?? ""), this.#file.today(), scale, asBytes(row));
      }
    });
  }

  /** Drops what was not used for long, then the oldest above the limit. Gives how many went. */
  prune(): Promise<number> {
    const { maxVectors = 500_000, maxDays = 90 } = this.#options;
    return this.#file.tried(0, (store) => {
      const old = store
        .prepare("DELETE FROM vectors WHERE day < ?")
        .run(this.#file.today() - maxDays).changes;
      const count = numberIn(store.prepare("SELECT count(*) AS count FROM vectors").get(), "count");
      if (count <= maxVectors) return old;
      const drop = store.prepare(
        "DELETE FROM vectors WHERE key IN (SELECT key FROM vectors ORDER BY day, key LIMIT ?)",
      );
      return old + drop.run(count - maxVectors).changes;
    });
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

const keyOf = (model: ModelIdentity, text: string): Uint8Array =>
  Buffer.from(sha256(`${model.id}\0${model.sha256}\0${model.dims}\0${text}`), "hex");
