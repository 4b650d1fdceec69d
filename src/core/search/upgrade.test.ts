import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../tests/support/temp-dir.ts";
import { Config } from "../config/config.ts";
import { silentProgress } from "../progress.ts";
import { openStore } from "../store/store.ts";
import { openEmbeddings } from "./embedders/embeddings.ts";
import { type FakeProvider, startFakeProvider } from "./embedders/fake-provider.ts";
import { loadStaticModel } from "./embedders/static.ts";
import { prepareDocuments } from "./prepare.ts";
import type { SearchIndex } from "./search-index.ts";
import { page } from "./search-index-suite.ts";
import { searchMigrations } from "./segments/tables.ts";
import { openSearchIndex } from "./sqlite-index.ts";

interface Bench {
  readonly index: SearchIndex;
  readonly provider: FakeProvider;
  readonly texts: () => string[];
}

async function withIndex(run: (bench: Bench) => Promise<void>): Promise<void> {
  using dir = tempDir();
  const provider = await startFakeProvider();
  const store = await openStore({
    file: join(dir.path, "index.sqlite"),
    migrations: searchMigrations("test"),
  });
  const embedding = {
    provider: "openai",
    model: "letters",
    url: provider.url,
    max_retries: 0,
    batch_size: 64,
  };
  const embeddings = openEmbeddings(Config.parse({ embedding }), {
    home: dir.path,
    env: {},
    now: () => new Date("2026-01-02T03:04:05Z"),
  });
  const texts = () =>
    provider.requests.flatMap((request) => request.texts).filter((text) => text !== "ready");
  try {
    await run({ index: openSearchIndex({ store, name: "test", embeddings }), provider, texts });
  } finally {
    await embeddings.close();
    store.close();
    await provider.close();
  }
}
const quietly = () => ({ signal: new AbortController().signal, progress: silentProgress });
const pages = (count: number) =>
  Array.from({ length: count }, (_, number) => page(`p${number}`, `words number ${number}`));

test("the better model takes over once it has embedded everything, and only then", async () => {
  await withIndex(async ({ index, texts }) => {
    await index.put(pages(30));
    expect((await index.hybrid({ query: "words", limit: 1 })).model).toEqual("static");
    expect(await index.upgrade(quietly())).toEqual(30);
    expect((await index.hybrid({ query: "words", limit: 1 })).model).toEqual("openai/letters");
    expect(index.counts().models.map(({ id, vectors }) => [id, vectors])).toEqual([
      ["static", 30],
      ["openai/letters", 30],
    ]);
    expect(new Set(texts().filter((text) => text !== "words")).size).toEqual(30);
  });
});

test("unchanged text is never embedded twice, wherever it stands", async () => {
  await withIndex(async ({ index, texts }) => {
    await index.put(pages(5));
    await index.upgrade(quietly());
    await index.put([page("copy", "words number 1", "words number 4", "new words")]);
    expect(await index.upgrade(quietly())).toEqual(3);
    expect(texts().length).toEqual(6);
  });
});

test("what is most valuable is embedded first, and a broken upgrade goes on where it stopped", async () => {
  await withIndex(async ({ index, provider, texts }) => {
    const valued = (number: number) => {
      const document = page(`v${number}`, `valuable ${number}`);
      return { ...document, chunks: document.chunks.map((chunk) => ({ ...chunk, priority: 200 })) };
    };
    await index.put([...pages(300), ...Array.from({ length: 256 }, (_, number) => valued(number))]);
    await index.hybrid({ query: "warm", limit: 1 });
    let rounds = 0;
    const stop = new AbortController();
    const write = async (run: () => void) => {
      run();
      if (++rounds === 1) stop.abort(new Error("stopped"));
    };
    await expect(index.upgrade({ signal: stop.signal, progress: silentProgress, write })).rejects.toThrow(
      "stopped",
    );
    expect(texts().every((text) => text.startsWith("valuable"))).toEqual(true);
    expect((await index.hybrid({ query: "words", limit: 1 })).model).toEqual("static");
    provider.requests.length = 0;
    expect(await index.upgrade(quietly())).toEqual(300);
    expect(texts().length).toEqual(300);
  });
});

test("vectors survive a merge, and a document put during the upgrade is not lost", async () => {
  await withIndex(async ({ index }) => {
    for (const single of pages(20)) await index.put([single]);
    const write = async (run: () => void) => {
      await index.put([page("late", "late words")]);
      index.vacuum();
      run();
    };
    await index.upgrade({ ...quietly(), write: once(write) });
    index.vacuum();
    expect(index.counts()).toMatchObject({ chunks: 21, segments: 1 });
    expect(index.counts().models.map((model) => model.vectors)).toEqual([21, 21]);
    expect((await index.vector({ query: "late words", limit: 1 })).hits).toMatchObject([
      { chunkId: "late/0" },
    ]);
  });
});

test("where the provider goes away, searches fall back to the quick model's vectors", async () => {
  await withIndex(async ({ index, provider }) => {
    await index.put(pages(3));
    await index.upgrade(quietly());
    provider.failures.push((response) => response.writeHead(500).end());
    expect(await index.hybrid({ query: "words", limit: 3 })).toMatchObject({
      model: "static",
      hits: { length: 3 },
    });
  });
});

test("a provider that was down is asked again by the next upgrade, and then there is no problem left", async () => {
  await withIndex(async ({ index, provider }) => {
    await index.put(pages(3));
    provider.failures.push((response) => response.writeHead(500).end());
    expect(await index.upgrade(quietly())).toEqual(0);
    expect((await index.status()).problems).toEqual([expect.stringContaining("answered 500")]);
    expect(await index.upgrade(quietly())).toEqual(3);
    expect(await index.status()).toMatchObject({ problems: [], active: "openai/letters" });
  });
});

test("an index of an older quick model answers by words, and by meaning again once it is embedded again", async () => {
  await withIndex(async ({ index, provider }) => {
    provider.failures.push((response) => response.writeHead(500).end());
    const model = await loadStaticModel();
    const older = { ...model, identity: { ...model.identity, sha256: "older" } };
    index.putPrepared(prepareDocuments(pages(30), older));
    expect(await index.hybrid({ query: "words number 7", limit: 1 })).toMatchObject({
      hits: [{ chunkId: "p7/0" }],
    });
    await expect(index.vector({ query: "words", limit: 1 })).rejects.toMatchObject({ code: "unavailable" });
    expect(await index.upgrade(quietly())).toEqual(30);
    expect(index.counts().models).toEqual([{ ...model.identity, vectors: 30 }]);
    expect((await index.vector({ query: "words number 7", limit: 1 })).model).toEqual("static");
  });
});

test("an index without texts asks the room for them, also after segments are merged", async () => {
  await withIndex(async ({ index, texts }) => {
    for (const document of pages(10))
      index.putPrepared(prepareDocuments([document], undefined, { keepsTexts: false }));
    index.vacuum();
    expect(index.counts().segments).toEqual(1);
    await index.upgrade({ ...quietly(), textOf: (chunkId) => `the text of ${chunkId}` });
    expect(texts().toSorted()).toEqual(pages(10).map(({ id }) => `the text of ${id}/0`));
  });
});

/** The first write as given, later ones plainly. */
function once(first: (run: () => void) => Promise<void>): (run: () => void) => Promise<void> {
  let isFirst = true;
  return async (run) => {
    if (!isFirst) return run();
    isFirst = false;
    await first(run);
  };
}
