import fc from "fast-check";
import { expect, test } from "vitest";
import { hashOf } from "./postings.ts";
import { filterOf, mayHold } from "./term-filter.ts";

test("a filter has every term it was made of", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" })), (terms) => {
      const hashes = Uint32Array.from(terms, hashOf);
      const filter = filterOf(hashes);
      expect(hashes.every((hash) => mayHold(filter, hash))).toBe(true);
    }),
  );
});

test("of other terms a filter has about three in a hundred, and an empty one none", () => {
  const hashes = (word: string) => Uint32Array.from({ length: 20_000 }, (_, number) => hashOf(word + number));
  const filter = filterOf(hashes("known"));
  const wrong = hashes("other").filter((hash) => mayHold(filter, hash));
  expect(wrong.length).toBeLessThan(20_000 * 0.04);
  expect(mayHold(filterOf(new Uint32Array(0)), hashOf("other"))).toBe(false);
});
