import fc from "fast-check";
import { expect, test } from "vitest";
import { type KnownWord, wordComparer, wordVector } from "./word-nearness.ts";

const wordOf = (word: string, vector?: Float32Array): KnownWord => ({
  word,
  forms: [word],
  vector: wordVector(vector),
});
const askedWord = (word: string, ...synonyms: string[]) => ({
  word,
  terms: new Set([word]),
  synonyms: new Set(synonyms),
});

test("the same word is nearest, then a synonym, then a part of a word; others are not near", () => {
  const words = ["search", "find", "geosearch", "stone"].map((word) => wordOf(word));
  const [near] = wordComparer()([askedWord("search", "find")], [undefined], words);
  expect([...(near ?? [])]).toEqual([1, 0.9, 0.6, 0]);
});

test("what the rows leave out is what exact cosines leave out", () => {
  const vectors = fc.float32Array({ minLength: 24, maxLength: 24, min: -1, max: 1, noNaN: true });
  const compare = wordComparer();
  fc.assert(
    fc.property(vectors, fc.array(vectors, { minLength: 1, maxLength: 12 }), (query, others) => {
      const words = others.map((vector, at) => wordOf(`w${at}`, vector));
      const [near] = compare([askedWord("asked")], [wordVector(query)], words);
      const expected = words.map(({ vector }) => nearnessOf(wordVector(query)?.exact, vector?.exact));
      expect([...(near ?? [])].map((value) => value > 0)).toEqual(expected.map((value) => value > 0));
      for (const [at, value] of expected.entries()) expect(near?.[at]).toBeCloseTo(value, 12);
    }),
    { numRuns: 1000 },
  );
});

function nearnessOf(a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()): number {
  const lanes = [0, 1, 2, 3].map((lane) =>
    a.reduce((sum, value, at) => (at % 4 === lane ? sum + value * (b[at] ?? 0) : sum), 0),
  );
  const [first = 0, second = 0, third = 0, fourth = 0] = lanes;
  return Math.max(0, (0.8 * (first + second + third + fourth - 0.15)) / 0.85);
}
