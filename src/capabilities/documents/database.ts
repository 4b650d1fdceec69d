import { existsSync } from "node:fs";
import { join } from "node:path";
import { once } from "../../core/lazy.ts";
import type { Machine } from "../../core/machine.ts";
import { openEmbeddings, openSearchIndex, type SearchIndex } from "../../core/search/index.ts";
import { openOrRebuild } from "../../core/store/rebuild.ts";
import type { Store } from "../../core/store/store.ts";
import { projectDirectory } from "./places.ts";
import { INDEX_NAME, MIGRATIONS } from "./tables.ts";

/** The documents of one project: their rows and the index over them, in one file. */
export interface DocumentDatabase {
  readonly store: Store;
  readonly index: SearchIndex;
  readonly embeddings: ReturnType<typeof openEmbeddings>;
}

export interface DatabaseAccess {
  /** `undefined` before the first sync: reading creates nothing. */
  forReading(): Promise<DocumentDatabase | undefined>;
  forWriting(): Promise<DocumentDatabase>;
  close(): Promise<void>;
}

export function openDatabase(machine: Machine): DatabaseAccess {
  const file = join(projectDirectory(machine), "documents.sqlite");
  let opened: DocumentDatabase | undefined;
  const open = once(async () => {
    const embeddings = openEmbeddings(await machine.config(), machine);
    const store = await openOrRebuild({ file, migrations: MIGRATIONS, logger: machine.logger });
    opened = { store, embeddings, index: openSearchIndex({ store, name: INDEX_NAME, embeddings }) };
    return opened;
  });
  return {
    forReading: async () => (opened || existsSync(file) ? open() : undefined),
    forWriting: open,
    async close() {
      const closing = opened;
      opened = undefined;
      await closing?.embeddings.close();
      closing?.store.close();
    },
  };
}
