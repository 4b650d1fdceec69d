import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Embedder } from "./embedder.ts";

/** What every embedder does. `open` gives one whose vectors mean something, unless `isFake`. */
export function embedderSuite(name: string, open: () => Promise<Embedder>, { isFake = false } = {}): void {
  describe(`embedder ${name}`, () => {
    let embedder: Embedder;
    beforeAll(async () => {
      embedder = await open();
    });
    afterAll(() => embedder.close());

    test("gives one vector of the promised length for each text, in order", async () => {
      const texts = ["open a file", "close a socket", ""];
      const together = await embedder.embed(texts);
      const alone = await Promise.all(texts.map((text) => embedder.embed([text])));
      expect(together.map((vector) => vector.length)).toEqual(texts.map(() => embedder.identity.dims));
      for (const [at, vector] of together.entries()) {
        if (texts[at] !== "")
          expect(cosine(vector, alone[at]?.[0] ?? new Float32Array())).toBeGreaterThan(0.98);
      }
    });

    test("takes more texts than one batch holds, and none", async () => {
      const texts = Array.from({ length: embedder.batchSize + 3 }, (_, number) => `text ${number}`);
      expect((await embedder.embed(texts)).length).toEqual(texts.length);
      expect(await embedder.embed([])).toEqual([]);
    });

    test("every number is finite, whatever the text", async () => {
      const texts = ["\u0000\ud800", "💥".repeat(50), "x".repeat(10_000), "検索 エンジン", "   "];
      const vectors = await embedder.embed(texts);
      expect(vectors.every((vector) => vector.every(Number.isFinite))).toEqual(true);
    });

    test("says which model it is", () => {
      expect(embedder.identity.id).not.toEqual("");
      expect(embedder.identity.sha256.length).toBeGreaterThan(30);
    });

    test.skipIf(isFake)("texts of like meaning are nearer than others", async () => {
      const [cat = [], kitten = [], engine = []] = await embedder.embed([
        "cat",
        "kitten",
        "combustion engine",
      ]);
      expect(cosine(cat, kitten)).toBeGreaterThan(cosine(cat, engine));
    });
  });
}

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [dot, aa, bb] = [0, 0, 0];
  for (let at = 0; at < a.length; at++) {
    dot += (a[at] ?? 0) * (b[at] ?? 0);
    aa += (a[at] ?? 0) ** 2;
    bb += (b[at] ?? 0) ** 2;
  }
  return dot / (Math.sqrt(aa * bb) || 1);
}
