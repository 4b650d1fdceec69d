import { expect, test } from "vitest";
import { literalStrengths, literalsOf } from "./literals.ts";

const textsOf = (question: string) => literalsOf(question).map(({ text }) => text);

test.each([
  ['where is "Failed to lookup view" thrown', ["Failed to lookup view"]],
  ["what does --max-workers do", ["--max-workers"]],
  ["how res.send sets the ETag", ["res.send"]],
  ["which file is lib/response.js about", ["lib/response.js"]],
  ["who answers 418", ["418"]],
  ["Failed to lookup view", ["Failed to lookup view"]],
  ["how views are looked up", []],
  ["the user's name", ["the user's name"]],
])("%j has the literals %j", (question, literals) => {
  expect(textsOf(question)).toEqual(literals);
});

test("the text that holds a quoted part is lifted, less if others hold it too, not if many do", () => {
  const literals = literalsOf('"lookup view"');
  const holder = "throw new Error('Failed to Lookup\\n  view')".replace("\\n", "\n");
  expect(literalStrengths([holder, "lookup of a view"], literals)).toEqual([1, 0]);
  expect(
    literalStrengths(
      Array.from({ length: 4 }, () => holder),
      literals,
    )[0],
  ).toEqual(0.5);
  expect(
    literalStrengths(
      Array.from({ length: 9 }, () => holder),
      literals,
    )[0],
  ).toEqual(0);
});
