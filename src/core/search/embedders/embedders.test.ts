import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBetterModel } from "../../../../tests/support/better-model.ts";
import { tempDir } from "../../../../tests/support/temp-dir.ts";
import { Config } from "../../config/config.ts";
import { embedderSuite } from "./embedder-suite.ts";
import { type FakeProvider, startFakeProvider } from "./fake-provider.ts";
import { openMiniLm } from "./minilm.ts";
import { modelsDirectory } from "./models-directory.ts";
import { openRemote } from "./remote.ts";
import { loadStaticModel } from "./static.ts";

let provider: FakeProvider;
beforeAll(async () => {
  provider = await startFakeProvider();
});
afterAll(() => provider.close());

const settings = (over: Partial<Config["embedding"]> = {}, kind: "openai" | "ollama" = "openai") => ({
  ...Config.parse({ embedding: { url: provider.url, model: "letters", batch_size: 4, ...over } }).embedding,
  provider: kind,
});
const open = (over: Partial<Config["embedding"]> = {}, kind: "openai" | "ollama" = "openai", env = {}) =>
  openRemote(`${kind}/letters`, settings(over, kind), { env, firstWaitMs: 1 });

embedderSuite("static", () => loadStaticModel());
describe.skipIf(!hasBetterModel)("with the package contextful-minilm", () => {
  embedderSuite("minilm", () => openMiniLm());
});
embedderSuite("openai", () => open(), { isFake: true });
embedderSuite("ollama", () => open({}, "ollama"), { isFake: true });

test("the quick model gives the same vector whether it has read a few rows of its table or all", async () => {
  const model = await loadStaticModel(modelsDirectory());
  const before = await model.embed(["parse a duration string"]);
  await model.embed(readFileSync("docs/reference.md", "utf8").split("\n"));
  expect(await model.embed(["parse a duration string"])).toEqual(before);
});

test("a table of the right size with other bytes is refused as soon as all of it is read", async () => {
  using directory = tempDir();
  for (const name of ["vocab.txt", "static.bin"])
    copyFileSync(join(modelsDirectory(), name), join(directory.path, name));
  const table = join(directory.path, "static.bin");
  const bytes = readFileSync(table);
  bytes[5_000_000] = (bytes[5_000_000] ?? 0) ^ 1;
  writeFileSync(table, bytes);
  const model = await loadStaticModel(directory.path);
  await expect(model.embed(readFileSync("docs/reference.md", "utf8").split("\n"))).rejects.toThrow(
    "static.bin was altered",
  );
});

describe("a remote embedder", () => {
  test("asks the path its kind has, in batches, with the key from the environment", async () => {
    const embedder = await open({ api_key_env: "MY_KEY" }, "openai", { MY_KEY: "secret" });
    provider.requests.length = 0;
    await embedder.embed(["a", "b", "c", "d", "e"]);
    expect(provider.requests).toEqual([
      { path: "/v1/embeddings", key: "Bearer secret", texts: ["a", "b", "c", "d"] },
      { path: "/v1/embeddings", key: "Bearer secret", texts: ["e"] },
    ]);
    await (await open({}, "ollama")).embed(["x"]);
    expect(provider.requests.at(-1)).toEqual({ path: "/api/embed", key: undefined, texts: ["x"] });
  });

  test("sends no keys or passwords that stand in the text", async () => {
    const token = ["ghp", "x7Kq2vRt9LmZ4wPc8NbY1sHd6JfG3eUa5oTi"].join("_");
    await (await open()).embed([`const token = "${token}";`]);
    expect(provider.requests.at(-1)?.texts[0]).not.toContain(token);
    expect(provider.requests.at(-1)?.texts[0]).toContain("const token");
  });

  test.each([429, 500, 503])("tries again after %i", async (status) => {
    const embedder = await open();
    provider.failures.push((response) => response.writeHead(status).end());
    expect((await embedder.embed(["a"])).length).toEqual(1);
  });

  test("tries again where the connection breaks", async () => {
    const embedder = await open();
    provider.failures.push((response) => response.destroy());
    expect((await embedder.embed(["a"])).length).toEqual(1);
  });

  test("tries again where the connection breaks in the middle of an answer", async () => {
    const embedder = await open();
    provider.failures.push((response) => void response.write('{"data":[', () => response.destroy()));
    expect((await embedder.embed(["a"])).length).toEqual(1);
  });

  test("waits as long as the server asks for", async () => {
    const embedder = await open();
    provider.failures.push((response) => response.writeHead(429, { "retry-after": "0" }).end());
    expect((await embedder.embed(["a"])).length).toEqual(1);
  });

  test("gives up after the configured number of tries", async () => {
    const embedder = await open({ max_retries: 2 });
    provider.requests.length = 0;
    for (let failure = 0; failure < 3; failure++)
      provider.failures.push((response) => response.writeHead(500).end());
    await expect(embedder.embed(["a"])).rejects.toMatchObject({ code: "unavailable" });
    expect(provider.requests.length).toEqual(3);
  });

  test("is tried once where somebody waits", async () => {
    const embedder = await open({ max_retries: 2 });
    const down = (response: ServerResponse) => void response.writeHead(503).end();
    provider.requests.length = 0;
    provider.failures.push(down);
    await expect(embedder.embedAtOnce?.("a")).rejects.toMatchObject({ code: "unavailable" });
    provider.failures.push(down);
    await expect(
      openRemote("openai/letters", settings(), { env: {}, isBrief: true, firstWaitMs: 1 }),
    ).rejects.toMatchObject({ code: "unavailable" });
    expect(provider.requests.length).toEqual(2);
    expect(await embedder.embedAtOnce?.("a")).toEqual((await embedder.embed(["a"]))[0]);
  });

  test("fails at once where the server refuses, and never tells the key", async () => {
    const embedder = await open({ api_key_env: "MY_KEY" }, "openai", { MY_KEY: "secret" });
    provider.requests.length = 0;
    provider.failures.push((response) => response.writeHead(401).end("bad key secret"));
    const thrown = await embedder.embed(["a"]).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: "unavailable" });
    expect(String(thrown)).not.toContain("secret");
    expect(provider.requests.length).toEqual(1);
  });

  test("does not wait for ever", async () => {
    const embedder = await open({ timeout_secs: 0.05, max_retries: 0 });
    provider.failures.push(() => {});
    await expect(embedder.embed(["a"])).rejects.toThrow("in time");
    provider.failures.push((response) => void response.write('{"data":['));
    await expect(embedder.embed(["a"])).rejects.toThrow("in time");
  });

  test.each(["not json", "{}", '{"data":[]}'])("an answer that is no answer is refused: %s", async (body) => {
    const embedder = await open();
    provider.failures.push((response) => response.end(body));
    await expect(embedder.embed(["a"])).rejects.toMatchObject({ code: "unavailable" });
  });

  test("vectors of another length than configured are refused", async () => {
    await expect(open({ dims: 7 })).rejects.toThrow("7");
  });

  test.each<[string, (response: ServerResponse, stop: () => void) => void]>([
    ["while it waits for an answer", (_response, stop) => stop()],
    ["in the middle of one", (response, stop) => void response.write('{"data":[', stop)],
    ["before another try", (response, stop) => void response.writeHead(500).end(() => setImmediate(stop))],
  ])("stops when it is told to, %s", async (_when, answer) => {
    const embedder = await openRemote("openai/letters", settings(), { env: {}, firstWaitMs: 60_000 });
    const controller = new AbortController();
    provider.failures.push((response) => answer(response, () => controller.abort(new Error("enough"))));
    await expect(embedder.embed(["a"], controller.signal)).rejects.toThrow("enough");
  });
});
