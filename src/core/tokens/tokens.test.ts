import fc from "fast-check";
import { expect, test } from "vitest";
import { contractTokens } from "./contract-count.ts";
import { countWithin, fitsWithin, loadTokenizer } from "./tokenizer.ts";

test("the contract's count is a quarter of the bytes, rounded up", () => {
  expect(["", "a", "abcd", "abcde", "é", "😀😀"].map(contractTokens)).toEqual([0, 1, 1, 2, 1, 2]);
});

test("real tokens are counted, and text that names special tokens is text", async () => {
  const count = await loadTokenizer();
  expect([count(""), count("hello world"), count("<|endoftext|>") > 1]).toEqual([0, 2, true]);
});

test("a count within a limit is the count, and beyond it there is none", async () => {
  const count = await loadTokenizer();
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 800 }), fc.nat(300), async (text, limit) => {
      const whole = count(text);
      expect(await countWithin(text, limit)).toBe(whole <= limit ? whole : undefined);
      expect(await fitsWithin(text, limit)).toBe(whole <= limit);
    }),
    { numRuns: 50 },
  );
});

test("huge and hostile texts end", async () => {
  for (const text of [
    "a".repeat(300_000),
    "word ".repeat(60_000),
    " ".repeat(300_000),
    "\n".repeat(300_000),
  ]) {
    expect(await fitsWithin(text, 10)).toBe(false);
  }
});

test("a text costs what its parts cost, where a part after a line's end begins with neither space nor slash", async () => {
  const count = await loadTokenizer();
  const character = fc.constantFrom(..."ab1 \n\r\t/`#*'.-()é漢🙂\u00a0");
  const text = fc.oneof(
    fc.string({ unit: character, maxLength: 60 }),
    // More than is counted in one go, with and without breaks.
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
