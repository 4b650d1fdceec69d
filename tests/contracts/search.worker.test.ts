import { once } from "node:events";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { openMiniLmSession } from "../../src/core/search/embedders/minilm-session.ts";
import { hasBetterModel } from "../support/better-model.ts";
import { builtBinary } from "../support/dist.ts";

test.skipIf(!hasBetterModel)(
  "the built embedding thread gives the vectors the sources give, and answers in order",
  async () => {
    const session = await openMiniLmSession();
    const texts = ["open a file for reading", "close the socket"];
    const expected = await session.embed(texts);
    await session.close();
    const worker = new Worker(join(dirname(await builtBinary()), "workers", "minilm.js"), { workerData: {} });
    try {
      worker.postMessage({ id: 7, texts });
      worker.postMessage({ id: 8, texts: ["ready"] });
      const [answer] = await once(worker, "message");
      expect(answer).toEqual({ id: 7, vectors: expected });
      expect(await once(worker, "message")).toMatchObject([{ id: 8 }]);
    } finally {
      await worker.terminate();
    }
  },
);

test("a thread whose model is missing says so and stays usable", async () => {
  const worker = new Worker(join(dirname(await builtBinary()), "workers", "minilm.js"), {
    workerData: { directory: "/nonexistent" },
  });
  try {
    worker.postMessage({ id: 1, texts: ["x"] });
    expect(await once(worker, "message")).toEqual([{ id: 1, problem: expect.stringContaining("missing") }]);
  } finally {
    await worker.terminate();
  }
});
