import fc from "fast-check";
import { expect, test } from "vitest";
import { forEachWord, termsOf } from "../text/terms.ts";
import { innerTerms, literalStrengths, literalsOf } from "./literals.ts";

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
  ["where is PAGER read", ["PAGER"]],
  ["how are HTTP requests with JSON sent", []],
  ["what sets GIT_DIR or TZ", ["GIT_DIR"]],
  ["WHERE IS THE PAGER READ?", []],
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

test("a variable of one word is quoted or has a sign before it, one of several words stands anywhere", () => {
  const texts = ['get("DEBUG")', "echo $DEBUG", "// DEBUG levels", "MAX_IDLE = 4", "USE_MAX_IDLE"];
  expect(literalStrengths(texts, literalsOf("where is DEBUG read"))).toEqual([1, 1, 0, 0, 0]);
  expect(literalStrengths(texts, literalsOf("where is MAX_IDLE read"))).toEqual([0, 0, 0, 1, 0]);
});

test("a word in capitals is held as a whole word in capitals", () => {
  const literals = literalsOf("where is PAGER read");
  expect(literalStrengths(['os.Getenv("PAGER")', "type pager struct", "USE_PAGER = 1"], literals)).toEqual([
    1, 0, 0,
  ]);
});

test("words that a text may only have as parts are not asked of it", () => {
  expect(innerTerms({ text: "parse the duration string", strength: 1 })).toEqual(["duration"]);
  expect(innerTerms({ text: "part of it", strength: 1 })).toEqual(["of"]);
  expect(innerTerms({ text: "os.Open", strength: 1 })).toEqual([]);
});

test("a text has all inner terms of whatever is cut out of it", () => {
  const pieces =
    "Parse fooBar the snake_case HTTPServer2 kebab-case $x é Ünder \u212aelvin a1 漢字 . , -> :: — \u00a0".split(
      " ",
    );
  const texts = fc.array(
    fc.tuple(fc.constantFrom(...pieces), fc.constantFrom(" ", "", "\n\t", ".", "\u00a0")),
    { maxLength: 24 },
  );
  fc.assert(
    fc.property(texts, fc.nat(120), fc.nat(60), (parts, from, length) => {
      const text = parts.flat().join("");
      const terms = new Set<string>();
      forEachWord(text, (word) => {
        for (const term of termsOf(word)) terms.add(term);
      });
      const cut = text.replace(/\s+/g, " ").slice(from, from + length);
      expect(innerTerms({ text: cut, strength: 1 }).filter((term) => !terms.has(term))).toEqual([]);
    }),
    { numRuns: 2000 },
  );
});
