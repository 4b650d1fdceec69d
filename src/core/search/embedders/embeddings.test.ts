import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../tests/support/temp-dir.ts";
import { Config } from "../../config/config.ts";
import { databaseDirectory } from "../../store/sqlite-driver.ts";
import { openStore } from "../../store/store.ts";
import { page } from "../search-index-suite.ts";
import { searchMigrations } from "../segments/tables.ts";
import { openSearchIndex } from "../sqlite-index.ts";
import { openEmbeddings } from "./embeddings.ts";
import { startFakeProvider } from "./fake-provider.ts";
import { VectorCache } from "./vector-cache.ts";

const open = (home: string, embedding: Partial<Config["embedding"]>, models?: string) =>
  openEmbeddings(Config.parse({ embedding }), {
    home,
    env: {},
    now: () => new Date("2026-01-02T03:04:05Z"),
    ...(models !== undefined && { models }),
  });

/** Keyword search over one page, whatever state the models are in. */
async function searched(home: string, embeddings: ReturnType<typeof open>) {
  const store = await openStore({ file: join(home, "index.sqlite"), migrations: searchMigrations("test") });
  try {
    const index = openSearchIndex({ store, name: "test", embeddings });
    await index.put([page("a", "open the file")]);
    const hybrid = await index.hybrid({ query: "file", limit: 1 });
    await embeddings.probe();
    const status = await index.status();
    return {
      hits: hybrid.hits.length,
      degraded: hybrid.degraded,
      problems: status.problems,
      active: status.active,
    };
  } finally {
    await embeddings.close();
    store.close();
  }
}

test("with every model file in place there is nothing to complain about", async () => {
  using dir = tempDir();
  expect(await searched(dir.path, open(dir.path, { provider: "static" }))).toEqual({
    hits: 1,
    degraded: undefined,
    problems: [],
    active: "static",
  });
});

test("a missing model file leaves keyword search, and the status says what is missing", async () => {
  using dir = tempDir();
  const result = await searched(dir.path, open(dir.path, { provider: "auto" }, join(dir.path, "nothing")));
  expect(result).toMatchObject({ hits: 1, active: undefined });
  expect(result.degraded).toContain("missing");
  expect(result.problems.join()).toContain("models/");
});

test("an altered model file is not used", async () => {
  using dir = tempDir();
  const models = join(dir.path, "models");
  cpSync("models", models, { recursive: true });
  writeFileSync(join(models, "static.bin"), "x");
  const result = await searched(dir.path, open(dir.path, { provider: "auto" }, models));
  expect(result).toMatchObject({ hits: 1, active: undefined });
  expect(result.problems.toSorted()).toEqual([
    expect.stringContaining("minilm.onnx is missing"),
    expect.stringContaining("static.bin was altered"),
  ]);
});

test("a provider that is down leaves words and the quick model", async () => {
  using dir = tempDir();
  const embeddings = open(dir.path, { provider: "ollama", url: "http://127.0.0.1:9", max_retries: 0 });
  const result = await searched(dir.path, embeddings);
  expect(result).toMatchObject({
    hits: 1,
    degraded: "ollama/default has embedded 0 of 1 chunks.",
    active: "static",
  });
  expect(result.problems).toEqual([expect.stringContaining("127.0.0.1:9 could not be reached")]);
});

test("a provider that was down is asked again after a minute, not before", async () => {
  using dir = tempDir();
  const provider = await startFakeProvider();
  try {
    let now = new Date("2026-01-02T03:04:05Z");
    const config = Config.parse({ embedding: { provider: "ollama", url: provider.url } });
    const embeddings = openEmbeddings(config, { home: dir.path, env: {}, now: () => now });
    provider.failures.push((response) => void response.writeHead(503).end());
    expect(await embeddings.better()).toBeUndefined();
    expect(await embeddings.better()).toBeUndefined();
    now = new Date("2026-01-02T03:05:05Z");
    expect(await embeddings.better()).toMatchObject({ batchSize: expect.any(Number) });
    expect([provider.requests.length, embeddings.problems()]).toEqual([2, []]);
    await embeddings.close();
  } finally {
    await provider.close();
  }
});

test("disabled means no vectors, and no complaint", async () => {
  using dir = tempDir();
  const result = await searched(dir.path, open(dir.path, { provider: "disabled" }));
  expect(result).toMatchObject({ hits: 1, problems: [], active: undefined });
});

test("the cache gives a vector only for the same model and text, and is pruned by age and number", async () => {
  using dir = tempDir();
  let today = new Date("2026-01-01T00:00:00Z");
  const cache = new VectorCache({ home: dir.path, now: () => today, maxVectors: 2, maxDays: 10 });
  const model = { id: "m", sha256: "1", dims: 16 };
  const vector = { scale: 0.5, row: new Int8Array(16).fill(3) };
  await cache.put(model, ["old"], [vector]);
  expect(await cache.get(model, ["old", "new"])).toEqual([vector, undefined]);
  expect(await cache.get({ ...model, sha256: "2" }, ["old"])).toEqual([undefined]);
  today = new Date("2026-01-09T00:00:00Z");
  await cache.put(model, ["a", "b"], [vector, vector]);
  expect(await cache.prune()).toEqual(1);
  today = new Date("2026-02-01T00:00:00Z");
  expect(await cache.prune()).toEqual(2);
  await cache.close();
});

test.each<[string, (home: string) => void, boolean]>([
  ["is damaged is rebuilt", (home) => writeFileSync(join(home, "vectors.sqlite"), "x".repeat(5000)), true],
  ["cannot be opened keeps nothing", (home) => mkdirSync(join(home, "vectors.sqlite")), false],
])("a cache whose file %s, and nothing fails", async (_case, spoil, isKept) => {
  using dir = tempDir();
  mkdirSync(databaseDirectory(dir.path), { recursive: true });
  spoil(databaseDirectory(dir.path));
  const cache = new VectorCache({ home: dir.path, now: () => new Date("2026-01-01T00:00:00Z") });
  const model = { id: "m", sha256: "1", dims: 16 };
  const vector = { scale: 0.5, row: new Int8Array(16).fill(3) };
  await cache.put(model, ["text"], [vector]);
  expect(await cache.get(model, ["text"])).toEqual([isKept ? vector : undefined]);
  expect(await cache.prune()).toEqual(0);
  await cache.close();
});
