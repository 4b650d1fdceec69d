import { Config } from "../../src/core/config/config.ts";
import {
  openEmbeddings,
  openSearchIndex,
  prepareDocuments,
  searchMigrations,
} from "../../src/core/search/index.ts";
import { openStore } from "../../src/core/store/store.ts";

/** Replaces all fifty documents again and again, one generation in each transaction, until it is killed. */
const store = await openStore({ file: process.argv[2] ?? "", migrations: searchMigrations("test") });
const embeddings = openEmbeddings(Config.parse({ embedding: { provider: "disabled" } }), {
  home: "",
  env: {},
  now: () => new Date(0),
});
const index = openSearchIndex({ store, name: "test", embeddings });
for (let generation = index.generation(); ; generation++) {
  const documents = Array.from({ length: 50 }, (_, number) => ({
    id: `d${number}`,
    path: "",
    attributes: {},
    chunks: [
      {
        id: `d${number}/${generation}`,
        title: "",
        doc: "",
        body: "common words",
        embedText: "",
        attributes: {},
      },
    ],
  }));
  store.transaction(() => {
    for (let half = 0; half < 2; half++) {
      index.putPrepared(prepareDocuments(documents.slice(half * 25, half * 25 + 25)));
    }
  });
  if (process.send) process.send(generation);
}
