import fc from "fast-check";
import { expect, test } from "vitest";
import { forEachWord, partsOf, termsOf } from "./terms.ts";

const allTerms = (text: string) => {
  const terms = new Set<string>();
  forEachWord(text, (word) => {
    for (const term of termsOf(word)) terms.add(term);
  });
  return [...terms];
};

test.each([
  ["ParseFile", ["parsefile", "parse", "pars", "file", "fil"]],
  ["user_auth", ["userauth", "user", "auth"]],
  ["HTTPServer2", ["httpserver2", "http", "server"]],
  ["parser.ParseFile", ["parser", "parsefile", "parse", "pars", "file", "fil"]],
  ["kebab-case", ["kebab", "case", "cas", "kebabcase"]],
  ["x-y-z2", ["x", "y", "z2", "xyz2"]],
  ["src/core/order.ts", ["src", "core", "cor", "order", "ts"]],
  ["copies", ["copies", "copy"]],
  ["running", ["running", "run"]],
  ["класс", ["класс"]],
  ["Größe", ["größe", "große"]],
  ["検索エンジン", ["検索", "索エ", "エン", "ンジ", "ジン"]],
  ["字", ["字"]],
  ["!?", []],
])("%s is found by its whole, its parts and their stems", (text, expected) => {
  expect(allTerms(text)).toEqual(expected);
});

test("parts follow case, digits and joiners", () => {
  expect(partsOf("XMLHttpRequest_v2$tail")).toEqual(["xml", "http", "request", "v", "2", "tail"]);
});

test("the exact form of an ASCII word is always among its terms", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,30}$/), (word) => {
      expect(termsOf(word)[0] ?? "").toEqual(word.replaceAll("_", "").toLowerCase());
    }),
  );
});

test("any text is cut without failing, and every term is short", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      expect(allTerms(text).filter((term) => term === "" || term.length > 64)).toEqual([]);
    }),
  );
});

test("a long run without spaces is cut in time that grows with its length alone", () => {
  let state = 1;
  const run = Array.from({ length: 300_000 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return String.fromCharCode(0x4e00 + ((state >>> 12) % 20_000));
  });
  const pairs = new Set(run.slice(1).map((character, at) => `${run[at]}${character}`));
  expect(termsOf(run.join("")).length).toBe(pairs.size);
});

test("words of inflected forms meet in one stem", () => {
  const stems = ["parse", "parses", "parsed", "parsing"].map((word) => termsOf(word));
  expect(stems.every((terms) => terms.includes("pars"))).toEqual(true);
});
