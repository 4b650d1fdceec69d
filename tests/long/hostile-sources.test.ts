import { expect, test } from "vitest";
import { LANGUAGES } from "../../src/core/parse/languages.ts";
import { loadLanguage } from "../../src/core/parse/parse.ts";

const MEGABYTE = 1_000_000;
/** Each text is given up after five seconds; the rest is for a busy machine. */
const LIMIT_MS = 300_000;

const TEXTS = [
  "([{".repeat(MEGABYTE / 3),
  "(".repeat(MEGABYTE),
  // As deep as is parsed at all.
  "([{".repeat(600),
  "!-".repeat(MEGABYTE / 10),
  // Strings that never end.
  `x = "${'a\' ` """ '.repeat(5_000)}\n`.repeat(4),
  // Bytes that are no UTF-8.
  Buffer.from([0xff, 0xfe, 0x80, 0xc3, 0x28, 0x0a]).toString("utf8").repeat(20_000),
  // A line of four megabytes.
  `${"a b=1;".repeat(4 * 170_000)}\n`,
];

test.each(LANGUAGES.map(({ id }) => id))(
  "%s: hostile text ends in time and breaks nothing",
  async (id) => {
    const parse = await loadLanguage(id);
    for (const text of TEXTS) {
      const { symbols } = parse(text);
      const lines = text.split("\n").length;
      expect(symbols.filter(({ startLine, endLine }) => startLine < 1 || endLine > lines)).toEqual([]);
    }
    expect(parse("").symbols).toEqual([]);
  },
  LIMIT_MS,
);

test.each([
  ["c", "struct shop {\n  int size;\n};\n"],
  ["python", "class shop:\n    pass\n"],
  ["typescript", "class shop {}\n"],
  ["ruby", "class shop\nend\n"],
  ["kotlin", "class shop\n"],
] as const)(
  "%s: a definition above a megabyte of brackets is found",
  async (id, head) => {
    const { symbols } = (await loadLanguage(id))(`${head}${"([{".repeat(MEGABYTE / 3)}\n`);
    expect(symbols.map(({ name }) => name)).toContain("shop");
  },
  LIMIT_MS,
);
