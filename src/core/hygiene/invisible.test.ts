import fc from "fast-check";
import { expect, test } from "vitest";
import { madeUp } from "../../../tests/support/made-up.ts";
import { escapeControl, redactSecrets, stripInvisible } from "./index.ts";

test.each([
  ["terminal escapes", "a\u001b[2Jb\u009b1mc", "a[2Jb1mc", 2],
  ["colours", "a \u001b[01;31m\u001b[Kb\u001b[m\u001b[K c", "a b c", 4],
  ["direction overrides and isolates", "x\u202e\u2066y\u2069\u200fz", "xyz", 4],
  ["zero-width characters in words", "ig\u200bno\u200cre\u200d\ufeff\u2060", "ignore", 5],
  ["tag characters that spell a message", "ok\u{e0069}\u{e0067}\u{e006e}", "ok", 3],
  ["selectors that carry data", "a\ufe01\u{e0101}\u{e0102}", "a", 3],
  ["soft hyphens and fillers", "a\u00ad\u3164\u115fb", "ab", 3],
])("%s are removed", (_case, text, expected, removed) => {
  expect(stripInvisible(text)).toEqual({ text: expected, removed });
});

test.each([
  ["line ends and tabs", "a\r\n\tb\n"],
  ["a family emoji", "👨‍👩‍👧‍👦 and ❤️‍🔥"],
  ["a skin tone with a profession", "👩🏽‍💻"],
  ["the flag of a region", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"],
  ["Persian with a joiner", "می\u200cخواهم"],
  ["Devanagari with joiners", "क्\u200dष क्\u200cष"],
  ["letters with marks", "Ünïcödé e\u0301"],
])("%s is kept", (_case, text) => {
  expect(stripInvisible(text)).toEqual({ text, removed: 0 });
});

test("stripping twice equals stripping once, and escaped text contains no terminal controls", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const once = stripInvisible(text).text;
      expect(stripInvisible(once)).toEqual({ text: once, removed: 0 });
      expect(escapeControl(text)).not.toMatch(/(?![\t\n\r])\p{Cc}|\r(?!\n)|[\u202a-\u202e]/u);
    }),
  );
});

test("terminal controls are shown as text", () => {
  expect(escapeControl("\u001b]52;c;x\u0007 a\rb\r\n\tc\u202e")).toBe(
    "\\x1b]52;c;x\\x07 a\\x0db\r\n\tc\\u{202e}",
  );
});

test("a secret in colour is redacted like any other", () => {
  const { text } = stripInvisible(`found \u001b[31mghp_${madeUp(36)}\u001b[0m here`);
  expect(redactSecrets(text).text).toBe("found [redacted: github personal token] here");
});
