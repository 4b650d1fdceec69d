import { existsSync } from "node:fs";
import { z } from "zod";
import { DomainError } from "../../../core/errors.ts";
import type { Logger } from "../../../core/logger.ts";
import {
  type Embeddings,
  openSearchIndex,
  type SearchIndex,
  searchMigrations,
} from "../../../core/search/index.ts";
import { openStore, type Store, type StoreOptions } from "../../../core/store/store.ts";
import { isGeneration, removeDatabase } from "./generations.ts";
import { codeMigrations, INDEX_FORMAT } from "./tables.ts";

/** One generation of a project's index: our tables and the search index in one database. */
export interface CodeStore extends Disposable {
  readonly store: Store;
  readonly index: SearchIndex;
}
/** What an index knows about itself, beside its files. `only_commits`: no run has seen files that were not committed. */
export type IndexMetadata = Readonly<Record<string, string>>;

type CodeStoreOptions = Pick<StoreOptions, "readOnly" | "isForeign">;

const NAME = "code";
/** Failures that a new database cures. Any other ends the run. */
const REBUILT = new Set(["damaged", "not_found", "internal"]);
const MetadataRow = z.object({ name: z.string(), value: z.string() });

export async function openCodeStore(
  file: string,
  embeddings: Embeddings,
  options: CodeStoreOptions = {},
): Promise<CodeStore> {
  const store = await openStore({
    file,
    migrations: [...searchMigrations(NAME), ...codeMigrations],
    isChecked: isGeneration(file),
    ...options,
  });
  return {
    store,
    index: openSearchIndex({ store, name: NAME, embeddings }),
    [Symbol.dispose]: () => store.close(),
  };
}

/** Opens a database that this version of the program can use; `undefined` if it has another format. */
export async function openCurrentFormat(
  file: string,
  embeddings: Embeddings,
  options: CodeStoreOptions = {},
): Promise<CodeStore | undefined> {
  const code = await openCodeStore(file, embeddings, options);
  let isCurrent = false;
  try {
    isCurrent = readMetadata(code)["format"] === INDEX_FORMAT;
    return isCurrent ? code : undefined;
  } finally {
    if (!isCurrent) code.store.close();
  }
}

/** Opens a database for a run; `undefined` if it is missing, damaged or of another format: the index is a cache and is rebuilt. */
export async function openUsable(
  file: string,
  { embeddings, logger }: { readonly embeddings: Embeddings; readonly logger: Logger },
): Promise<CodeStore | undefined> {
  if (!existsSync(file)) return undefined;
  try {
    return await openCurrentFormat(file, embeddings);
  } catch (thrown) {
    if (thrown instanceof DomainError && !REBUILT.has(thrown.reason ?? thrown.code)) throw thrown;
    logger.warn("the code index cannot be read and is rebuilt");
    return undefined;
  }
}

export async function createCodeStore(file: string, embeddings: Embeddings): Promise<CodeStore> {
  removeDatabase(file);
  const code = await openCodeStore(file, embeddings);
  writeMetadata(code, { format: INDEX_FORMAT, only_commits: "true" });
  return code;
}

export function readMetadata({ store }: CodeStore): IndexMetadata {
  const rows = z.array(MetadataRow).parse(store.prepare("SELECT name, value FROM facts").all());
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

export function writeMetadata({ store }: CodeStore, metadata: IndexMetadata): void {
  const statement = store.prepare("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)");
  for (const [name, value] of Object.entries(metadata)) statement.run(name, value);
}

export const includesMetadata = (known: IndexMetadata, wanted: IndexMetadata): boolean =>
  Object.entries(wanted).every(([name, value]) => known[name] === value);
