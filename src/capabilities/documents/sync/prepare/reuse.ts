import { deserialize, serialize } from "node:v8";
import { sha256 } from "../../../../core/hash.ts";
import { isRecord } from "../../../../core/json.ts";
import { type ModelIdentity, withAttribute } from "../../../../core/search/index.ts";
import { blobIn, numberIn } from "../../../../core/search/segments/rows.ts";
import { CacheFile, type CacheFileOptions } from "../../../../core/store/cache-file.ts";
import type { Extractor } from "../../formats/extractor.ts";
import type { Extracted } from "../../formats/format.ts";
import type { PreparedDrafts } from "./prepare-drafts.ts";
import { type Preparer, searchablePart } from "./preparer.ts";

/** To be raised if the same bytes give another text, or the same text other chunks or words. */
const RULES = 2;
const MOST_BYTES = 400_000_000;
const MOST_DAYS = 90;
/** Each write waits for the disk: a transaction for each file would take longer than reading it again. */
const WRITE_BYTES = 8_000_000;
const MIGRATIONS = [
  `
  CREATE TABLE results (
    key TEXT PRIMARY KEY,
    day INTEGER NOT NULL,
    size INTEGER NOT NULL,
    value BLOB NOT NULL
  );
  CREATE INDEX results_by_day ON results (day, size);
  `,
];

/**
 * The texts, chunks, words and vectors of files that many projects have, such as installed packages, by content: what one
 * project has prepared, no other prepares again.
 */
export class ReusedResults {
  readonly #file: CacheFile;
  #made = new Map<string, Uint8Array>();
  #bytes = 0;
  readonly #used: string[] = [];
  #isChanged = false;

  constructor(options: CacheFileOptions) {
    this.#file = new CacheFile("packages.sqlite", MIGRATIONS, options);
  }

  /** The result for the key, from the file or made now. Only a whole result is kept. */
  async of<Whole extends object, Failure>(
    key: readonly unknown[],
    isWhole: (result: unknown) => result is Whole,
    make: () => Promise<Whole | Failure>,
  ): Promise<{ readonly result: Whole | Failure; readonly isReused: boolean }> {
    const hash = sha256(JSON.stringify([RULES, ...key]));
    const stored = await this.#read(hash);
    if (isWhole(stored)) return { result: stored, isReused: true };
    const result = await make();
    if (isWhole(result)) await this.#write(hash, serialize(result));
    return { result, isReused: false };
  }

  /** Forgets what was not used for long, and the oldest above the limit. */
  async close(): Promise<void> {
    await this.#flush();
    if (this.#isChanged) {
      await this.#file.tried(undefined, (store) => {
        store.prepare("DELETE FROM results WHERE day < ?").run(this.#file.today() - MOST_DAYS);
        const newer = "SELECT key, sum(size) OVER (ORDER BY day DESC, key) AS total FROM results";
        const drop = `DELETE FROM results WHERE key IN (SELECT key FROM (${newer}) WHERE total > ?)`;
        store.prepare(drop).run(MOST_BYTES);
      });
    }
    await this.#file.close();
  }

  #read(key: string): Promise<unknown> {
    return this.#file.read<unknown>(undefined, (store) => {
      const row = store.prepare("SELECT day, value FROM results WHERE key = ?").get(key);
      const value = blobIn(row, "value");
      if (value && numberIn(row, "day") !== this.#file.today()) this.#used.push(key);
      return value && deserialize(value);
    });
  }

  async #write(key: string, value: Uint8Array): Promise<void> {
    this.#made.set(key, value);
    this.#bytes += value.length;
    if (this.#bytes >= WRITE_BYTES) await this.#flush();
  }

  async #flush(): Promise<void> {
    const [made, used] = [this.#made, this.#used.splice(0)];
    if (made.size + used.length === 0) return;
    this.#made = new Map();
    this.#bytes = 0;
    this.#isChanged = true;
    const today = this.#file.today();
    await this.#file.tried(undefined, (store) => {
      const insert = store.prepare(
        "INSERT OR REPLACE INTO results (key, day, size, value) VALUES (?, ?, ?, ?)",
      );
      for (const [key, value] of made) insert.run(key, today, value.length, value);
      const touch = store.prepare("UPDATE results SET day = ? WHERE key = ?");
      for (const key of used) touch.run(today, key);
    });
  }
}

const isText = (result: unknown): result is Extracted =>
  isRecord(result) && typeof result["body"] === "string";

/** Reads a file only if no project has read the same content before. */
export const reusingExtractor = (extractor: Extractor, results: ReusedResults): Extractor => ({
  ...extractor,
  async extract(request) {
    const { format, mediaType, path, bytes } = request;
    const key = ["text", format, mediaType, path, sha256(bytes)];
    return (await results.of(key, isText, () => extractor.extract(request))).result;
  },
});

const isPrepared = (result: unknown): result is PreparedDrafts =>
  isRecord(result) && isRecord(result["batch"]) && Array.isArray(result["chunks"]);

/** Prepares a batch only if no project has prepared the same one before. Its times are those of this project. */
export const reusingPreparer = (
  preparer: Preparer,
  results: ReusedResults,
  model: ModelIdentity | undefined,
): Preparer => ({
  ...preparer,
  async prepare(drafts, size) {
    const parts = drafts.map(searchablePart);
    const contents = parts.map(({ body, updatedAt: _, ...rest }) => ({ ...rest, body: sha256(body) }));
    const key = ["chunks", size, model, contents];
    const { result, isReused } = await results.of(key, isPrepared, () => preparer.prepare(drafts, size));
    if (!isReused || "lost" in result) return result;
    const times = parts.map(({ updatedAt }) => updatedAt);
    return { ...result, batch: withAttribute(result.batch, "updated_at", times), isReused };
  },
});
