import { expect, test } from "vitest";
import { parseQuery } from "./query.ts";
import { synonymsOf } from "./synonyms.ts";

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
