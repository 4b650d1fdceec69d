import fc from "fast-check";
import { expect, test } from "vitest";
import { nearestNames } from "./nearest-names.ts";

const names = ["parsehttpheader", "parsehttpheaders", "parsefile", "get", "set", "serialize"];

test.each([
  ["parsehttphaeder", ["parsehttpheader", "parsehttpheaders"]],
  ["serialise", ["serialize"]],
  ["gte", ["get"]],
  ["parsefile", []],
  ["flurbozangle", []],
  ["parsefilefast", ["parsefile"]],
  ["parsehttp", ["parsehttpheader", "parsehttpheaders"]],
])("the names nearest to %s are %j", (wanted, expected) => {
  expect(nearestNames(wanted, [names])).toEqual(expected);
});

test("any name with one letter dropped, doubled or swapped with the next is near", () => {
  const name = fc.stringMatching(/^[a-d]{6,16}$/);
  fc.assert(
    fc.property(name, fc.nat(14), (wanted, place) => {
      const at = place % (wanted.length - 1);
      const [before, letter, next, after] = [
        wanted.slice(0, at),
        wanted[at],
        wanted[at + 1],
        wanted.slice(at + 2),
      ];
      const dropped = `${before}${next}${after}`;
      const doubled = `${before}${letter}${letter}${next}${after}`;
      const swapped = `${before}${next}${letter}${after}`;
      const changed = [...new Set([dropped, doubled, swapped])].filter((one) => one !== wanted);
      expect(nearestNames(wanted, [changed]).toSorted()).toEqual(changed.toSorted());
    }),
  );
});
