import { expect, test } from "vitest";
import { textRanker } from "./rank-texts.ts";

test("texts are ranked by the query's rare words, with or without a model, and never leave [0, 1]", async () => {
  const texts = [
    { title: "Retries", text: "Calls to carriers are retried with jitter." },
    { title: "Printing", text: "Labels are A6." },
    { title: "", text: "" },
  ];
  const byWords = textRanker(undefined);
  const words = await byWords("retry failed calls", texts);
  expect(words[0]).toBeGreaterThan(words[1] ?? 1);
  expect([...words, ...(await byWords("", texts))].every((score) => score >= 0 && score <= 1)).toBe(true);
  const meaning = {
    embed: async (all: readonly string[]) =>
      all.map((text) => Float32Array.of(text === "a6" || text === "paper" ? 1 : 0, 0.1)),
  };
  const [, printing = 0, nothing = 1] = await textRanker(meaning)("paper", texts);
  expect(printing).toBeGreaterThan(nothing);
});

test("a decision is found by a question in other words", async () => {
  const texts = [
    { title: "Use PostgreSQL", text: "All orders are in one place." },
    { title: "Which tools we use", text: "We use pnpm and vitest." },
  ];
  const [decision = 0, tools = 1] = await textRanker(undefined)("which database do we use", texts);
  expect(decision).toBeGreaterThan(tools);
});
