import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { instantOf, isoOf, parseInstant, sinceBound, untilBound } from "./timestamps.ts";

const golden: {
  epoch_to_iso: { epoch: number; iso: string }[];
  script_connector_parse: { in: string | number; epoch: number | null }[];
} = JSON.parse(readFileSync("tests/contracts/golden/documents/timestamps.json", "utf8"));

test.each(golden.epoch_to_iso)("$epoch is $iso", ({ epoch, iso }) => {
  expect([isoOf(epoch), parseInstant(iso)]).toEqual([iso, epoch]);
});

test.each(golden.script_connector_parse)("an item's time $in", ({ in: given, epoch }) => {
  // The first program refused a date alone; here it is midnight.
  const expected = given === "2026-02-20" ? 1771545600 : (epoch ?? undefined);
  expect(instantOf(given)).toBe(expected);
});

test("a date means the end of the day as `until` and its start as `since`", () => {
  expect([isoOf(sinceBound("2026-01-05", "since")), isoOf(untilBound("2026-01-05", "until"))]).toEqual([
    "2026-01-05T00:00:00Z",
    "2026-01-05T23:59:59Z",
  ]);
});

test("fractions of a second are respected", () => {
  expect([
    sinceBound("2026-01-05T00:00:00.5Z", "since"),
    untilBound("2026-01-05T00:00:00.5Z", "until"),
  ]).toEqual([1767571201, 1767571200]);
});

test.each(["yesterday", "", "2026-02-30", "2026-13-01", "2026-01-01T25:00:00Z", "20 Feb 2026", "2026"])(
  "%j is not a time",
  (text) => {
    expect(parseInstant(text)).toBeUndefined();
    expect(() => sinceBound(text, "filters.since")).toThrow(/filters\.since is not a date/);
  },
);
