import { expect, test } from "vitest";
import { rankTexts } from "./rank-texts.ts";

test("texts are ranked by the query's rare words, with or without a model, and never leave [0, 1]", async () => {
  const texts = [
    { title: "Retries", text: "Calls to carriers are retried with jitter." },
    { title: "Printing", text: "Labels are A6." },
    { title: "", text: "" },
  ];
  const words = await rankTexts("retry failed calls", texts, undefined);
  expect(words[0]).toBeGreaterThan(words[1] ?? 1);
  expect(
    [...words, ...(await rankTexts("", texts, undefined))].every((score) => score >= 0 && score <= 1),
  ).toBe(true);
  const meaning = {
    embed: async (all: readonly string[]) =>
      all.map((text) => Float32Array.of(text.includes("A6") || text === "paper" ? 1 : 0, 0.1)),
  };
  const [, printing = 0, nothing = 1] = await rankTexts("paper", texts, meaning);
  expect(printing).toBeGreaterThan(nothing);
});
