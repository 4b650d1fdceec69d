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
const scoresOf = (...paths: string[]) => scoreHits(hits(...paths), "").map(({ score }) => score);

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

const targetsOf = (task: string, found: readonly SearchHit[]) =>
  scoreHits(found, task).flatMap(({ hit, isTarget }) => (isTarget ? [hit.rank] : []));
const named = (...symbols: Partial<SearchHit["symbol"]>[]): SearchHit[] =>
  hits(...symbols.map((_, at) => `${at}.go`)).map((hit, at) => ({
    ...hit,
    symbol: { ...hit.symbol, ...symbols[at] },
  }));

test("a function that a short task names comes first, and the other hits count less", () => {
  const found = named({ name: "other" }, { name: "send_file" });
  expect(scoreHits(found, "let send_file take a path").map(({ hit, score }) => [hit.rank, score])).toEqual([
    [2, 0.5],
    [1, 0.5 * 0.35],
  ]);
});

test("beside a function that a short task names, only the first hits are left", () => {
  const found = named(...Array.from({ length: 8 }, () => ({ name: "other" })), { name: "send_file" });
  const ranks = (task: string) => scoreHits(found, task).map(({ hit }) => hit.rank);
  expect(ranks("let send_file take a path")).toEqual([9, 1, 2, 3, 4, 5]);
  expect(ranks("let files be sent")).toHaveLength(9);
});

test.each([
  ["between backticks", "fix the docs of `send`", { name: "send" }, true],
  ["with parentheses", "send() must wait", { name: "send" }, true],
  ["with its type", "let Mail.send wait", { name: "send", kind: "method", parent: "Mail" }, true],
  ["of another type", "let Mail.send wait", { name: "send", kind: "method", parent: "Form" }, false],
  ["as an ordinary word", "wait before we send", { name: "send" }, false],
  ["that is a type", "let MailQueue wait", { name: "MailQueue", kind: "class" }, false],
  [
    "that is a constructor",
    "let MailQueue wait",
    { name: "MailQueue", kind: "method", parent: "MailQueue" },
    false,
  ],
  ["in a long task", `sendMail must wait ${"and so on ".repeat(5)}`, { name: "sendMail" }, false],
] as const)("a name %s: %s", (_form, task, symbol, isTarget) => {
  expect(targetsOf(task, named({ name: "other" }, symbol))).toEqual(isTarget ? [2] : []);
});

test("a name that many functions have names none of them", () => {
  const same = { name: "sendMail" };
  expect(targetsOf("let sendMail wait", named(same, same, same))).toEqual([1, 2, 3]);
  expect(targetsOf("let sendMail wait", named(same, same, same, same))).toEqual([]);
});

test("no hits have no scores", () => {
  expect(scoreHits([], "")).toEqual([]);
});
