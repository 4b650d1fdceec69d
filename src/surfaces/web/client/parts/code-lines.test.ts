import { expect, test } from "vitest";
import { bestLine, codeLines, wordsOf } from "./code-lines.ts";

test("pieces of a line have the colour of their span and the mark of their word", () => {
  expect(codeLines("let retry = 1\nnext", [[0, 3, "keyword"]], ["retry"])).toEqual([
    [
      { text: "let", kind: "keyword", isMatch: false },
      { text: " ", kind: "", isMatch: false },
      { text: "retry", kind: "", isMatch: true },
      { text: " = 1", kind: "", isMatch: false },
    ],
    [{ text: "next", kind: "", isMatch: false }],
  ]);
});

test("a span over two lines colours both, and the lines rejoin to the text", () => {
  const text = "a /* one\ntwo */ b\n\n";
  const lines = codeLines(text, [[2, 15, "comment"]], []);
  expect(lines.map((pieces) => pieces.map(({ text: part }) => part).join("")).join("\n")).toBe(text);
  expect(lines[1]?.[0]).toEqual({ text: "two */", kind: "comment", isMatch: false });
});

test("only whole words are marked", () => {
  const marked = codeLines("undo do redo", [], ["do"])
    .flat()
    .filter(({ isMatch }) => isMatch);
  expect(marked.map(({ text }) => text)).toEqual(["do"]);
});

test("common words of a question are not marked unless there are no others", () => {
  expect([wordsOf("where is the retry"), wordsOf("how is it")]).toEqual([["retry"], ["how", "is", "it"]]);
});

test("the best line has the most words of the question", () => {
  expect(bestLine(["one", "retry one", "retry upload one"], ["upload", "retry"])).toBe(2);
});
