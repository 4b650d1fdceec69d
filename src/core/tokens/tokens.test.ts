import fc from "fast-check";
import { expect, test } from "vitest";
import { loadTokenizer } from "./tokenizer.ts";

test("tokens are counted, and names of special tokens are plain text", async () => {
  const count = await loadTokenizer();
  expect([count(""), count("hello world"), count("<|endoftext|>") > 1]).toEqual([0, 2, true]);
});

test("huge and hostile texts are counted in bounded time", async () => {
  const count = await loadTokenizer();
  for (const text of [
    "a".repeat(100_000),
    "word ".repeat(20_000),
    " ".repeat(100_000),
    "\n".repeat(100_000),
  ]) {
    expect(count(text)).toBeGreaterThan(10);
  }
});

test("the count of a text is the sum of its parts, if each part begins with neither space nor slash", async () => {
  const count = await loadTokenizer();
  const character = fc.constantFrom(..."ab1 \n\r\t/`#*'.-()é漢🙂\u00a0");
  const text = fc.oneof(
    fc.string({ unit: character, maxLength: 60 }),
    // More than one piece, with and without breaks.
    fc.constantFrom("word ".repeat(5_000), "x = y\n".repeat(4_000), `${"z".repeat(999)}\n\n`.repeat(30)),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), fc.constantFrom("#", "`", "*", "a"), (texts, first) => {
      const parts = texts.map((part) => `${first}${part}\n\n`);
      expect(count(parts.join(""))).toBe(parts.reduce((sum, part) => sum + count(part), 0));
    }),
    { numRuns: 200 },
  );
});
