import { applyPatch } from "diff";
import { expect, test } from "vitest";
import { unifiedDiff } from "./unified.ts";

const numbered = (word: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${word} ${at}`).join("\n");

test.each([
  ["a few lines", "a\nb\nc\n", "a\nB\nc\n"],
  ["long texts that share nothing", `${numbered("old", 20_000)}\n`, numbered("new", 20_000)],
  ["a long text instead of an empty one", "", numbered("new", 20_000)],
])("applying the diff of %s to the old text gives the new one", (_what, before, after) => {
  const diff = unifiedDiff({ label: "a", text: before }, { label: "b", text: after });
  expect(diff).toMatch(/^--- a\n\+\+\+ b\n@@ /);
  expect(applyPatch(before, diff)).toBe(after);
});

test("equal texts have an empty diff", () => {
  expect(unifiedDiff({ label: "a", text: "x" }, { label: "b", text: "x" })).toBe("");
});
