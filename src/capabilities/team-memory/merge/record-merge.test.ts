import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeJson, mergeNdjson } from "./record-merge.ts";

const id = fc.stringMatching(/^[a-f]{1,3}$/);
const record = fc.record({ id, timestamp: fc.constantFrom("2026-01-01", "2026-01-02", "2026-01-03") });
const records = fc.uniqueArray(record, { selector: (one) => one.id, maxLength: 6 });
const print = (all: readonly object[]) => all.map((one) => `${JSON.stringify(one)}\n`).join("");
const linesOf = (text: string) => text.split("\n").filter((line) => line !== "");

describe("lines of records", () => {
  test("merging commutes, and merging again with either side changes nothing", () => {
    fc.assert(
      fc.property(records, records, records, (base, ours, theirs) => {
        const [b, o, t] = [print(base), print([...base, ...ours]), print([...base, ...theirs])];
        const merged = mergeNdjson(b, o, t);
        expect(mergeNdjson(b, t, o)).toBe(merged);
        expect(linesOf(mergeNdjson(o, merged, o)).sort()).toEqual(linesOf(merged).sort());
      }),
      { numRuns: 100 },
    );
  });

  test("no record that a side added is lost, and none that a side removed comes back", () => {
    fc.assert(
      fc.property(records, records, records, fc.nat(5), (base, ours, theirs, removed) => {
        const gone = base[removed];
        const kept = base.filter((one) => one !== gone);
        const without = (all: typeof base) => all.filter((one) => !base.some((known) => known.id === one.id));
        const mine = without(ours);
        const hers = without(theirs).filter((one) => !mine.some((known) => known.id === one.id));
        const merged = mergeNdjson(print(base), print([...kept, ...mine]), print([...base, ...hers]));
        const expected = [...kept, ...mine, ...hers].map((one) => JSON.stringify(one));
        expect(linesOf(merged).sort()).toEqual(expected.sort());
      }),
      { numRuns: 100 },
    );
  });
});

describe("objects", () => {
  const key = fc.constantFrom("a", "b", "c", "d", "__proto__");
  const row = fc.record({ author: fc.constantFrom("x", "y"), updated_at: fc.constantFrom("1", "2", "3") });
  const object = fc
    .array(fc.tuple(key, row), { maxLength: 5 })
    .map((rows) => Object.fromEntries(rows) as Record<string, { author: string; updated_at: string }>);

  test("merging gives the same whoever merges, and conflicts are told to both", () => {
    fc.assert(
      fc.property(object, object, object, (base, ours, theirs) => {
        expect(mergeJson(base, theirs, ours)).toEqual(mergeJson(base, ours, theirs));
      }),
      { numRuns: 100 },
    );
  });

  test("merging again with either side changes nothing", () => {
    fc.assert(
      fc.property(object, object, object, (base, ours, theirs) => {
        const { value, conflicts } = mergeJson(base, ours, theirs);
        if (value === undefined || conflicts.length > 0) return;
        expect(mergeJson(ours, value, ours)).toEqual({ value, conflicts: [] });
        expect(mergeJson(theirs, value, theirs)).toEqual({ value, conflicts: [] });
      }),
      { numRuns: 100 },
    );
  });

  test("a key that one side alone set has that side's value", () => {
    fc.assert(
      fc.property(object, object, row, (base, theirs, fresh) => {
        const merged = mergeJson(base, { ...base, own: fresh }, theirs);
        expect(merged.value).toMatchObject({ own: fresh });
      }),
      { numRuns: 100 },
    );
  });
});

test("any number of keys that both sides set differently is told", () => {
  const all = (value: number) => ({
    values: Object.fromEntries(Array.from({ length: 130_000 }, (_, key) => [`k${1e6 + key}`, value])),
  });
  expect(mergeJson(all(0), all(1), all(2)).conflicts).toHaveLength(130_000);
});
