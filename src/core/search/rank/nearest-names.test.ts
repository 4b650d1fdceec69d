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
  expect(nearestNames(wanted, names)).toEqual(expected);
});
