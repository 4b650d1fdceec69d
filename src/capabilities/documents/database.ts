import { existsSync } from "node:fs";
import { join } from "node:path";
import { DomainError } from "../../core/errors.ts";
import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import {
  openEmbeddings,
  openSearchIndex,
  type SearchIndex,
  type TextRanker,
  textRanker,
} from "../../core/search/index.ts";
import { openOrRebuild } from "../../core/store/rebuild.ts";
import { openStore, type Store } from "../../core/store/store.ts";
import { isStorageFailure } from "../../core/store/store-errors.ts";
import { projectDirectory } from "./places.ts";
import { INDEX_NAME, MIGRATIONS } from "./tables.ts";

/** The documents of one project: their rows and the index over them, in one file. */
export interface DocumentDatabase {
  readonly store: Store;
  readonly index: SearchIndex;
  readonly embeddings: ReturnType<typeof openEmbeddings>;
  /** Compares a question with a few texts. Kept, because it remembers the words it has seen. */
  rank(): Promise<TextRanker>;
}

export interface DatabaseAccess {
  /** `undefined` before the first sync: reading creates nothing. */
  forReading(): Promise<DocumentDatabase | undefined>;
  forWriting(): Promise<DocumentDatabase>;
  close(): Promise<void>;
}

/** With a `file`: one that was published. It is only read. */
export function openDatabase(machine: Machine, published?: string): DatabaseAccess {
  const file = published ?? join(projectDirectory(machine), "documents.sqlite");
  const opened: DocumentDatabase[] = [];
  const openWith = (openFile: () => Promise<Store>) =>
    once(async () => {
      const embeddings = openEmbeddings(await machine.config(), machine);
      const store = await openFile();
      const index = openSearchIndex({ store, name: INDEX_NAME, embeddings });
      const rank = once(async () => textRanker(await embeddings.quick()));
      const database = { store, embeddings, index, rank };
      opened.push(database);
      return database;
    });
  const open = openWith(() => openOrRebuild({ file, migrations: MIGRATIONS, logger: machine.logger }));
  const isForeign = published !== undefined;
  const openReadOnly = openWith(() => openStore({ file, migrations: MIGRATIONS, readOnly: true, isForeign }));
  return {
    async forReading() {
      if (published !== undefined) return openReadOnly();
      if (opened.length === 0 && !existsSync(file)) return undefined;
      return open().catch((thrown: unknown) => {
        // On a full or read-only disk the stored documents can still be found.
        if (isStorageFailure(thrown)) return openReadOnly().catch(nothingStored);
        throw thrown;
      });
    },
    forWriting: published === undefined ? open : openReadOnly,
    async close() {
      for (const { embeddings, store } of opened.splice(0)) {
        await embeddings.close();
        store.close();
      }
    },
  };
}

/** A disk that was full at the first sync has an empty file. */
function nothingStored(thrown: unknown): undefined {
  if (thrown instanceof DomainError && thrown.code === "not_found") return undefined;
  throw thrown;
}
