import { expect, test } from "vitest";
import { isAlike, pathNameOf, pathWordsBonus } from "./path-words.ts";
import { readQuestion } from "./question.ts";
import { RANK_WEIGHTS } from "./weights.ts";

const bonus = (path: string, question: string) =>
  pathWordsBonus(pathNameOf(path), readQuestion(question), RANK_WEIGHTS);

test.each([
  ["routing", "router", true],
  ["utility", "utils", true],
  ["config", "configuration", true],
  ["http", "https", true],
  ["in", "index", false],
  ["parser", "partial", false],
])("%s and %s are alike: %s", (a, b, expected) => {
  expect(isAlike(a, b)).toEqual(expected);
});

test("a file named by the words of the question gets more than one whose directory is, and more than one of neither", () => {
  const question = "how generators are discovered";
  const [file, directory, neither] = ["lib/generators.rb", "lib/generators/base.rb", "lib/engine.rb"].map(
    (path) => bonus(path, question),
  );
  expect(file).toBeGreaterThan(directory ?? 0);
  expect(directory).toBeGreaterThan(neither ?? 0);
  expect(neither).toEqual(0);
});

test("a file that carries its directory's name is covered by that name", () => {
  expect(bonus("extract/mod.rs", "extract the body")).toBeGreaterThan(0);
  expect(pathNameOf("extract/mod.rs").isNamedByDirectory).toEqual(true);
});

test("a question without words gets nothing", () => {
  expect(bonus("a/b.ts", "?!")).toEqual(0);
});
