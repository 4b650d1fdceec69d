import fc from "fast-check";
import { expect, test } from "vitest";
import { packColumn, unpackColumn } from "../segments/columns.ts";
import { PackedStrings, packStrings } from "./packed-strings.ts";
import { encodePostings, findInBucket, hashOf, readBucket } from "./postings.ts";

const ordinals = fc.uniqueArray(fc.nat(100_000), { maxLength: 50 }).map((list) => list.sort((a, b) => a - b));

test("every term's postings come back from its bucket, and an unknown term has none", () => {
  const lists = fc.dictionary(fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }), ordinals);
  fc.assert(
    fc.property(lists, fc.nat(255), (dictionary, mark) => {
      const terms = Object.entries(dictionary).filter(([, list]) => list.length > 0);
      const postings = terms.map(([term, list]) => ({
        term,
        postings: list.map((ordinal) => ((ordinal << 8) | mark) >>> 0),
      }));
      const encoded = encodePostings(postings);
      const bucket = (number: number) =>
        encoded.postings.subarray(encoded.bucketEnds[number - 1] ?? 0, encoded.bucketEnds[number]);
      const find = (term: string) => [
        ...findInBucket(bucket(hashOf(term) % encoded.bucketEnds.length), new TextEncoder().encode(term)),
      ];
      for (const list of postings) expect(find(list.term)).toEqual(list.postings);
      expect(find("\u0000no such term")).toEqual([]);
      const all = [...encoded.bucketEnds.keys()].flatMap((number) => readBucket(bucket(number)));
      expect(all.length).toEqual(postings.length);
    }),
  );
});

test("packed strings are the strings that were packed", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" })), (strings) => {
      expect(new PackedStrings(packStrings(strings)).all()).toEqual(strings);
    }),
  );
});

test("half a surrogate pair becomes a replacement character and moves no other string", () => {
  const packed = packStrings(["a\ud83d", "\ude00b", "c"]);
  expect(new PackedStrings(packed).all()).toEqual(["a\ufffd", "\ufffdb", "c"]);
});

test("a column gives back each chunk's value, and nothing where there was none", () => {
  const value = fc.option(fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string())), {
    nil: undefined,
  });
  fc.assert(
    fc.property(fc.array(value), (values) => {
      const { values: distinct, codes } = unpackColumn(packColumn(values));
      expect([...codes].map((code) => distinct[code])).toEqual(values);
    }),
  );
});
