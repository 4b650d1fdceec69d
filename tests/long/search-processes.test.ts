import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { build } from "rolldown";
import { expect, test } from "vitest";
import { Config } from "../../src/core/config/config.ts";
import { openEmbeddings, openSearchIndex, searchMigrations } from "../../src/core/search/index.ts";
import { DRIVERS } from "../../src/core/store/sqlite-driver.ts";
import { openStore } from "../../src/core/store/store.ts";
import { tempDir } from "../support/temp-dir.ts";

const ROUNDS = 25;

const drivers = Object.values(DRIVERS).flatMap((load) => load() ?? []);

test.each(drivers)(
  "with $name readers see whole generations while another process writes and is killed",
  async (driver) => {
    using dir = tempDir();
    const file = join(dir.path, "index.sqlite");
    (await openStore({ file, driver, migrations: searchMigrations("test") })).close();
    const entry = await bundledWriter();
    const embeddings = openEmbeddings(Config.parse({ embedding: { provider: "disabled" } }), {
      home: dir.path,
      env: {},
      now: () => new Date(0),
    });
    using store = await openStore({ file, driver, migrations: searchMigrations("test"), readOnly: true });
    const reader = openSearchIndex({ store, name: "test", embeddings });
    const seen = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const writer = fork(entry, [file], {
        stdio: "ignore",
        env: { ...process.env, CONTEXTFUL_SQLITE: driver.name },
      });
      await once(writer, "message");
      for (let search = 0; search < 20; search++) seen.add(await generationsIn(reader));
      await killed(writer);
      seen.add(await generationsIn(reader));
    }
    // Every document of a generation bears its number: an answer with two numbers would be half of one.
    expect([...seen].filter((generations) => generations.includes(","))).toEqual([]);
  },
);

async function generationsIn(reader: ReturnType<typeof openSearchIndex>): Promise<string> {
  const { hits, total } = await reader.keyword({ query: "common", limit: 100 });
  expect([0, 50]).toContain(total);
  return [...new Set(hits.map((hit) => hit.chunkId.split("/")[1]))].join(",");
}

async function killed(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

/** The writer as plain JavaScript, for a process of its own. Inside the tree, so that it finds the packages. */
async function bundledWriter(): Promise<string> {
  const folder = join("node_modules", ".cache", "contextful-tests");
  await build({
    input: "tests/long/search-writer.ts",
    platform: "node",
    external: [/^[^./]/],
    logLevel: "silent",
    output: { dir: folder, format: "esm", entryFileNames: "search-writer.mjs" },
  });
  return join(folder, "search-writer.mjs");
}
