import { expect, test } from "vitest";
import type { SearchHit } from "../../capabilities/code-index/index.ts";
import { scoreHits } from "./hit-scores.ts";

const hits = (...paths: string[]): SearchHit[] =>
  paths.map((path, at) => ({
    chunk_id: at + 1,
    rank: at + 1,
    relevance_score: 0.5,
    file: { path, package: "", start_line: 1, end_line: 9, language: "go" },
    symbol: { name: `f${at}`, kind: "function", package: "", signature: "", doc_comment: "" },
    content: "",
    context_before: "",
    context_after: "",
  }));
const scoresOf = (...paths: string[]) => scoreHits(hits(...paths)).map(({ score }) => score);

test("the first hit of the file that is found most has the relevance of the search, later hits have less", () => {
  const [first = 0, second = 0, third = 0] = scoresOf("a.go", "a.go", "a.go");
  expect(first).toBe(0.5);
  expect([second < first, third < second]).toEqual([true, true]);
});

test("a hit in a file that is found often counts more than an earlier hit in another file", () => {
  const [alone = 0, often = 0] = scoresOf("alone.go", "often.go", "often.go", "often.go", "often.go");
  expect(often).toBeGreaterThan(alone);
});

test("a test file or a text is not the measure for source, even if it is found most", () => {
  const [source] = scoresOf("a.go", "a_test.go", "a_test.go", "README.md", "README.md", "README.md");
  expect(source).toBe(0.5);
});

test("no hits have no scores", () => {
  expect(scoreHits([])).toEqual([]);
});
