import { expect, test } from "vitest";
import { parseQuery } from "./query.ts";
import { stem } from "./stem.ts";
import { GROUPS, KINDS, synonymsOf } from "./synonyms.ts";

test("a word asks for its synonyms in any form, and a kind asks for its members only", () => {
  expect(synonymsOf("undo")).toEqual(["revert", "rollback"]);
  expect(synonymsOf("reverted")).toEqual(["undo", "rollback"]);
  expect(synonymsOf("database")).toContain("postgresql");
  expect([synonymsOf("mysql"), synonymsOf("zebra")]).toEqual([[], []]);
});

test("a query has synonyms only if they are asked for, and they count less", () => {
  const variants = (synonyms: boolean) =>
    parseQuery("undo", { synonyms }).groups.map((group) => group.variants);
  expect(variants(false)).toEqual([[{ term: "undo", weight: 1 }]]);
  expect(variants(true)[0]?.slice(0, 2)).toEqual([
    { term: "undo", weight: 1 },
    { term: "revert", weight: 0.5 },
  ]);
});

test("each word of a group asks for all the others", () => {
  const missing = GROUPS.flatMap((group) =>
    group.flatMap((word) => group.filter((other) => other !== word && !synonymsOf(word).includes(other))),
  );
  expect(missing).toEqual([]);
});

test("a line has at least two words, all single, in lower case and of different stems", () => {
  const isWrong = (line: readonly string[]) =>
    line.length < 2 ||
    line.some((word) => !/^[a-z0-9]+$/.test(word)) ||
    new Set(line.map(stem)).size < line.length;
  expect([...GROUPS, ...KINDS].filter(isWrong)).toEqual([]);
});

test("no line is given twice, and no two words of the table share a stem", () => {
  const lines = [...GROUPS, ...KINDS].map((line) => line.join(" "));
  const words = [...new Set([...GROUPS, ...KINDS].flat())];
  const shared = words.filter((word) => words.some((other) => other !== word && stem(other) === stem(word)));
  expect({ repeated: lines.filter((line, at) => lines.indexOf(line) !== at), shared }).toEqual({
    repeated: [],
    shared: [],
  });
});
