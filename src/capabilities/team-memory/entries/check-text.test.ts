import { expect, test } from "vitest";
import { checkText, oneLine } from "./check-text.ts";

const check = (text: string) => checkText([{ name: "content", text }]);

test.each([
  "",
  "plain\ttext\r\n",
  "👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "العربية\u200fמימין",
  "\ufeffmark",
  "naïve 日本語",
  "हिन्दी\u200d",
])("%j is text", (text) => {
  expect(() => check(text)).not.toThrow();
});

test.each([
  ["one\ntwo\u001b[2J", "Line 2 of the content holds the invisible character U+001B"],
  ["\u202e", "U+202E"],
  ["x\u{e0041}", "U+E0041"],
  ["\udc00", "U+DC00"],
  ["ghp_\u200bx", "U+200B"],
  ["a\u200cb\u200e\u2060", "U+200C"],
  ["soft\u00adhyphen", "U+00AD"],
  ["x\ufeff", "U+FEFF"],
  ["x\ufe01", "U+FE01"],
  ["x".repeat(1024 * 1024 + 1), "at most 1 MiB"],
])("%# is refused and told why", (text, why) => {
  expect(() => check(text)).toThrow(why);
});

test("a title becomes one visible line", () => {
  expect(oneLine(" a\n\tb\u0000\u202ec\ud800 ")).toBe("a b c\ufffd");
});
