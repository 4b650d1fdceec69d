import { performance } from "node:perf_hooks";
import { expect, test } from "vitest";
import { LANGUAGES } from "./languages.ts";
import { loadLanguage } from "./parse.ts";

const MEGABYTE = 1_000_000;
/** Parsing is given up after five seconds; reading what there is takes no longer. */
const LIMIT_MS = 30_000;

const TEXTS = {
  "a megabyte of nested brackets": "([{".repeat(MEGABYTE / 3),
  "strings that never end": `x = "${"a' \` \"\"\" ".repeat(5_000)}\n`.repeat(4),
  "bytes that are no UTF-8": Buffer.from([0xff, 0xfe, 0x80, 0xc3, 0x28, 0x0a]).toString("utf8").repeat(20_000),
  "a line of four megabytes": `${"a b=1;".repeat(4 * 170_000)}\n`,
} as const;

test.each(LANGUAGES.map(({ id }) => id))(
  "%s: hostile text ends in time, breaks nothing, and the next file is read",
  async (id) => {
    const parse = await loadLanguage(id);
    for (const text of Object.values(TEXTS)) {
      const started = performance.now();
      const { symbols } = parse(text);
      expect(performance.now() - started).toBeLessThan(LIMIT_MS);
      const lines = text.split("\n").length;
      expect(symbols.filter(({ startLine, endLine }) => startLine < 1 || endLine > lines)).toEqual([]);
    }
    expect(parse("").symbols).toEqual([]);
  },
  180_000,
);
