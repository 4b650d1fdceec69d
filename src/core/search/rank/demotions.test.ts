import { expect, test } from "vitest";
import { kindsOf, type PathKind } from "../../files/path-kinds.ts";
import { demotionsOf, kindsAskedFor } from "./demotions.ts";
import { RANK_WEIGHTS } from "./weights.ts";

test("a file is demoted once as a test and once as no source, and lifted if it is asked for", () => {
  const stepsOf = (path: string, asked: readonly PathKind[] = []) =>
    demotionsOf(kindsOf(path), new Set(asked), RANK_WEIGHTS).map(({ step, factor }) => [step, factor]);
  expect(stepsOf("CHANGELOG.md")).toEqual([["docs", RANK_WEIGHTS.notSource]]);
  expect(stepsOf("examples/tests/data.json")).toEqual([
    ["test", RANK_WEIGHTS.test],
    ["example", RANK_WEIGHTS.notSource],
  ]);
  expect(stepsOf("examples/hello.rs", ["example"])).toEqual([["example", RANK_WEIGHTS.askedKind]]);
  expect(stepsOf("src/server.rs")).toEqual([]);
});

test.each([
  ["tests for the retry logic", ["test"]],
  ["how bats formats test result output", []],
  ["an example of a custom connector", ["example"]],
  ["what does the changelog say about proxies", ["changelog"]],
  ["deprecated settings", ["legacy"]],
  ["how requests are routed", []],
])("%j asks for %j", (question, kinds) => {
  expect([...kindsAskedFor(question)]).toEqual(kinds);
});
