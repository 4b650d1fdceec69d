import { expect, test } from "vitest";
import { bestSnippet } from "./snippet.ts";

test("the words of the query are marked, in any case and with any accents", () => {
  expect(bestSnippet(["The Café opens. A cafe-au-lait, token_hash."], "CAFE token")).toBe(
    "The >>>Café<<< opens. A >>>cafe<<<-au-lait, >>>token<<<_hash.",
  );
});

test("other forms are marked only if the word itself does not occur", () => {
  expect([bestSnippet(["tokens and a token"], "token"), bestSnippet(["all tokens"], "token")]).toEqual([
    "tokens and a >>>token<<<",
    "all >>>tokens<<<",
  ]);
});

test("the snippet of a long text is the part with most words", () => {
  const filler = Array.from({ length: 100 }, (_, index) => `w${index}`).join(" ");
  const snippet = bestSnippet([`alpha ${filler} alpha beta ${filler}`], "alpha beta");
  expect(snippet).toContain(">>>alpha<<< >>>beta<<<");
  expect([snippet.startsWith("..."), snippet.endsWith("...")]).toEqual([true, true]);
});

test("the snippet comes from the first text with most words", () => {
  expect(bestSnippet(["only alpha", "alpha and beta", "beta, alpha"], "alpha beta")).toBe(
    ">>>alpha<<< and >>>beta<<<",
  );
});

test("a text without any of the words shows its first 240 characters, up to a whole word", () => {
  expect(bestSnippet(["😀".repeat(300)], "zebra")).toBe(`${"😀".repeat(240)}...`);
  expect(bestSnippet(["birdsong ".repeat(40)], "zebra")).toMatch(/^(birdsong ){25}birdsong\.\.\.$/);
  expect(bestSnippet(["Short."], "zebra")).toBe("Short.");
  expect(bestSnippet([], "zebra")).toBe("");
});

test("whole words of the question are marked, and neither stop words nor parts of words", () => {
  expect([
    bestSnippet(["Undo it: we do revert a release."], "how do I undo a release"),
    bestSnippet(["We undo nothing."], "do redo"),
    bestSnippet(["Call ParseFile."], "which file"),
  ]).toEqual([">>>Undo<<< it: we do revert a >>>release<<<.", "We undo nothing.", "Call >>>ParseFile<<<."]);
});

test("single letters are marked only if the query has nothing else", () => {
  expect([bestSnippet(["a heron is a bird"], "a heron"), bestSnippet(["plan c"], "c")]).toEqual([
    "a >>>heron<<< is a bird",
    "plan >>>c<<<",
  ]);
});

test("a snippet begins with a sentence", () => {
  const filler = Array.from({ length: 60 }, (_, index) => `w${index}`).join(" ");
  const text = `${filler}. The old rule was dropped in May. We keep a heron for ninety days. ${filler}`;
  expect(bestSnippet([text], "heron").slice(0, 63)).toBe(
    "The old rule was dropped in May. We keep a >>>heron<<< for nine",
  );
  expect(bestSnippet([`${filler}\n\n- one item\n- the heron ${filler}`], "heron")).toMatch(
    /^one item\n- the >>>heron<<< w0 /,
  );
});

test("neither a wrapped line nor an abbreviation begins a sentence; a line of code does", () => {
  const filler = Array.from({ length: 40 }, (_, index) => `w${index}`).join(" ");
  const starts = (text: string) => bestSnippet([`${filler} ${text} ${filler}`], "heron").slice(0, 24);
  expect([
    starts("and a wrapped\nline with a heron"),
    starts("in scopes (e.g. `of a heron`)"),
    starts("run();\n  watch(heron);"),
    starts("steps\n1. feed the heron"),
  ]).toEqual([
    expect.stringMatching(/^\.\.\.w\d+ /),
    expect.stringMatching(/^\.\.\.w\d+ /),
    "watch(>>>heron<<<); w0 w",
    "1. feed the >>>heron<<< ",
  ]);
});

test("a snippet keeps the signs before its first word, but no images", () => {
  const filler = Array.from({ length: 60 }, (_, index) => `w${index}`).join(" ");
  expect([
    bestSnippet([`${filler}\n@param heron ${filler}`], "heron").slice(0, 21),
    bestSnippet(["# Heron [![build](https://ci/x.svg)](https://ci) ![logo](heron.png)Feeds it."], "heron"),
  ]).toEqual(["@param >>>heron<<< w0", "# >>>Heron<<<  Feeds it."]);
});

test("a snippet of a very long sentence begins in its middle and says so", () => {
  const filler = Array.from({ length: 90 }, (_, index) => `w${index}`).join(" ");
  expect(bestSnippet([`${filler} heron ${filler}`], "heron")).toMatch(/^\.\.\.w\d+ .*>>>heron<<</);
});
