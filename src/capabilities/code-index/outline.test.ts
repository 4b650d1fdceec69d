import fc from "fast-check";
import { expect, test } from "vitest";
import { loadLanguage } from "../../core/parse/parse.ts";
import { contentOf, splitLines } from "./content.ts";
import { outlineOf } from "./outline.ts";

const go = await loadLanguage("go");
const outline = (text: string) => outlineOf("a/b.go", splitLines(text), go(text));
const described = (text: string) =>
  outline(text).chunks.map(
    ({ startLine, endLine, symbols }) =>
      `${startLine}-${endLine} ${symbols.map(({ name }) => name).join(" ")}`,
  );

test("constants without comments of their own share a chunk, documented ones stand alone", () => {
  const text =
    "package p\n\nconst (\n\tA = 1\n\tB = 2\n\t// C is special.\n\tC = 3\n\tD = 4\n)\n\nvar x, y = 1, 2\n";
  expect(described(text)).toEqual(["4-5 A B", "6-7 C", "8-8 D", "11-11 x y"]);
});

test("a file without symbols is one chunk about its package", () => {
  expect(described("// Package p explains.\npackage p\n")).toEqual(["1-2 p"]);
});

test("a comment that belongs to no symbol is still found", () => {
  const text =
    "package p\n\nfunc a() {}\n\n// The design of this file\n// is explained\n// here.\n\nfunc b() {}\n";
  expect(described(text)).toEqual(["3-3 a", "4-8 b.go", "9-9 b"]);
});

test("a long function is cut at statements and each later part repeats its head", () => {
  const body = Array.from({ length: 60 }, (_, at) => `\tif x == ${at} {\n\t\tx++\n\t}\n`).join("");
  const text = `package p\n\n// long is long.\nfunc long(x int) {\n${body}}\n`;
  const lines = splitLines(text);
  const { chunks } = outline(text);
  expect(chunks.length).toBeGreaterThan(2);
  expect(chunks.map(({ startLine }) => lines[startLine - 1]?.trim().slice(0, 2))).toEqual(
    chunks.map((_, at) => (at === 0 ? "//" : "if")),
  );
  const [, second] = chunks;
  const own = lines.slice((second?.startLine ?? 0) - 1, second?.endLine);
  expect(second && contentOf(own, second.startLine, second.symbols[0])).toMatch(
    /^func long\(x int\)\n…\n\tif x == /,
  );
});

test("every line of every symbol lies in a chunk of that symbol, and no chunk is long", () => {
  const piece = fc.oneof(
    fc.nat(150).map((length) => `// Doc.\nfunc F${length}() {\n${"\tx()\n".repeat(length)}}\n`),
    fc
      .nat(40)
      .map(
        (count) =>
          `const (\n${Array.from({ length: count + 1 }, (_, at) => `\tC${at} = ${at}\n`).join("")})\n`,
      ),
    fc.nat(80).map((count) => `type T struct {\n${"\tA int\n".repeat(count)}}\n`),
    fc.constant("// A remark\n// of some\n// length.\n"),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = `package p\n\n${pieces.join("\n")}`;
      const parsed = go(text);
      const { chunks } = outlineOf("p.go", splitLines(text), parsed);
      for (const { name, startLine, endLine, docStartLine } of parsed.symbols) {
        const own = chunks.filter(({ symbols }) =>
          symbols.some((symbol) => symbol.name === name && symbol.startLine === startLine),
        );
        for (let line = docStartLine; line <= endLine; line++) {
          expect(own.some((chunk) => chunk.startLine <= line && line <= chunk.endLine)).toBe(true);
        }
      }
      for (const chunk of chunks) expect(chunk.endLine - chunk.startLine).toBeLessThan(100);
    }),
    { numRuns: 60 },
  );
});
