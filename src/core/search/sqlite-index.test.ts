import { join } from "node:path";
import { afterAll, afterEach } from "vitest";
import { tempDir } from "../../../tests/support/temp-dir.ts";
import { Config } from "../config/config.ts";
import { loadBetterSqlite } from "../store/better-sqlite.ts";
import type { Driver } from "../store/driver.ts";
import { loadNodeSqlite } from "../store/node-sqlite.ts";
import { openStore, type Store } from "../store/store.ts";
import { openEmbeddings } from "./embedders/embeddings.ts";
import { searchIndexSuite } from "./search-index-suite.ts";
import { searchMigrations } from "./segments/tables.ts";
import { openSearchIndex } from "./sqlite-index.ts";

/** The add-on may be there and yet be built for another Node. */
const works = (driver: Driver | undefined): driver is Driver => {
  try {
    driver?.open(":memory:", { readOnly: false }).close();
    return driver !== undefined;
  } catch {
    return false;
  }
};
const drivers = (await Promise.all([loadNodeSqlite(), loadBetterSqlite()])).filter(works);
const dir = tempDir();
const embeddings = openEmbeddings(Config.parse({ embedding: { provider: "static" } }), {
  home: dir.path,
  env: {},
  now: () => new Date("2026-01-02T03:04:05Z"),
});
const stores: Store[] = [];
let files = 0;
afterEach(() => {
  for (const store of stores.splice(0)) store.close();
});
afterAll(async () => {
  await embeddings.close();
  dir[Symbol.dispose]();
});

for (const driver of drivers) {
  searchIndexSuite(driver.name, async () => {
    const file = join(dir.path, `${files++}.sqlite`);
    const store = await openStore({ file, migrations: searchMigrations("test"), driver });
    const other = await openStore({ file, migrations: searchMigrations("test"), readOnly: true, driver });
    stores.push(store, other);
    return {
      index: openSearchIndex({ store, name: "test", embeddings }),
      another: () => openSearchIndex({ store: other, name: "test", embeddings }),
      rolledBack(write) {
        try {
          store.transaction(() => {
            write();
            throw new Error("undone");
          });
        } catch {
          // Undone on purpose.
        }
      },
    };
  });
}
