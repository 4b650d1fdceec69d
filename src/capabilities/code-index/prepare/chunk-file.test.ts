import fc from "fast-check";
import { expect, test } from "vitest";
import { languageOf, loadLanguage } from "../../../core/parse/parse.ts";
import { contentOf } from "../search/search-hit.ts";
import { splitLines } from "../store/stored-contents.ts";
import type { CodeChunk } from "./chunk.ts";
import { chunkSource } from "./chunk-file.ts";

const go = await loadLanguage("go");
const chunked = (text: string) => chunkSource("a/b.go", splitLines(text), go(text));
const described = (text: string) => chunked(text).chunks.map(chunkOnOneLine);
const chunkOnOneLine = ({ startLine, endLine, symbols }: CodeChunk) =>
  `${startLine}-${endLine} ${symbols.map(({ name }) => name).join(" ")}`;
async function chunkedAs(path: string, text: string) {
  const parse = await loadLanguage(languageOf(path) ?? "go");
  return chunkSource(path, splitLines(text), parse(text));
}

test("constants without comments share a chunk, and each documented one has its own", () => {
  const text =
    "package p\n\nconst (\n\tA = 1\n\tB = 2\n\t// C is special.\n\tC = 3\n\tD = 4\n)\n\nvar x, y = 1, 2\n";
  expect(described(text)).toEqual(["3-5 A B", "6-7 C", "8-8 D", "11-11 x y"]);
});

test("small values of other languages share a chunk: macros and fields, not functions", async () => {
  const text = `#define LOW 1
#define HIGH 2

struct store {
  int size;
  int used;
};

int size_of(struct store *s) { return s->size; }
int used_of(struct store *s) { return s->used; }
`;
  expect((await chunkedAs("store.c", text)).chunks.map(chunkOnOneLine)).toEqual([
    "1-2 LOW HIGH",
    "4-7 store",
    "5-6 size used",
    "9-9 size_of",
    "10-10 used_of",
  ]);
});

test("a file without symbols is one chunk about its package", () => {
  expect(described("// Package p explains.\npackage p\n")).toEqual(["1-2 p"]);
});

test("a comment that belongs to no symbol has a chunk", () => {
  const text =
    "package p\n\nfunc a() {}\n\n// The design of this file\n// is explained\n// here.\n\nfunc b() {}\n";
  expect(described(text)).toEqual(["3-3 a", "5-7 b.go", "9-9 b"]);
});

const OUTSIDE = [
  {
    name: "many statements of a script are a chunk, and few join the function next to them",
    path: "run.py",
    text: `import os

logging.basicConfig(level="quetzal")
for name in os.environ:
    register_plugin(name)

def main():
    pass


main_runner("okapi")
`,
    chunks: ["3-5 run.py", "7-11 main"],
  },
  {
    name: "calls of a test framework before a helper function are a chunk",
    path: "a.test.ts",
    text: 'import { test } from "vitest";\n\ntest("quetzal", () => {\n  run(1);\n});\ntest("okapi", run);\n\nfunction run() {}\n',
    chunks: ["3-6 a.test.ts", "8-8 run"],
  },
  {
    name: "fields of a long class join its methods, and constants of an enum share a chunk",
    path: "A.java",
    text: `class Long {
  int first() {
${"    step();\n".repeat(40)}  }

  int between;
  int second() { return 2; }

  int last;
}

enum Level {
  LOW,
  HIGH
}
`,
    chunks: ["1-1 Long", "2-43 first", "45-49 second", "51-54 Level", "52-53 LOW HIGH"],
  },
  {
    name: "lines after a long class do not join its last method",
    path: "a.ts",
    text: `class Long {\n  only() {\n${"    step();\n".repeat(40)}  }\n\n  field = 1;\n}\nrun(Long);\nfunction after() {}\n`,
    chunks: ["1-1 Long", "2-46 only", "47-48 after"],
  },
  {
    name: "a comment about the file has a chunk, but its licence and imports have none",
    path: "p.go",
    text: `// Copyright the authors.
// Licensed under terms.
// Of some length.

// The allocator
// works in
// size classes.

package p

import "fmt"

func f() {}
`,
    chunks: ["5-7 p.go", "13-13 f"],
  },
];
test.each(OUTSIDE)("outside symbols: $name", async ({ path, text, chunks }) => {
  expect((await chunkedAs(path, text)).chunks.map(chunkOnOneLine)).toEqual(chunks);
});

const HEADERS = [
  [
    "a word in a comment is not a package clause",
    "a.py",
    '"""\npackage of\n"""\nimport os\n\ndef f(): pass\n',
    "4-4",
  ],
  [
    "a licence is skipped",
    "a.go",
    `${"// Copyright.\n".repeat(30)}\npackage p\n\nimport "os"\n\nfunc f() {}\n`,
    "32-34",
  ],
  ["CommonJS", "a.js", 'const a = require("a");\nconst b = require("b");\n\nfunction f() {}\n', "1-2"],
  ["a late import is not the header", "a.py", "import a\nimport b\n\ndef f(): pass\n\nimport c\n", "1-2"],
] as const;
test.each(HEADERS)("the header shown above a result: %s", async (_name, path, text, expected) => {
  const { startLine, endLine } = (await chunkedAs(path, text)).header;
  expect(`${startLine}-${endLine}`).toBe(expected);
});

test("every line with a word is in a chunk, unless it is in the header", async () => {
  const piece = fc.constantFrom(
    "run(quetzal);\n",
    "\n",
    "// A remark.\n",
    "function f() {\n  run();\n}\n",
    "class C {\n  field = 1;\n  method() {}\n}\n",
    `class L {\n  a() {\n${"    run();\n".repeat(40)}  }\n\n  field = 2;\n\n}\n`,
    "export const a = 1;\n",
    "if (a) {\n  run();\n}\n",
  );
  const parse = await loadLanguage("typescript");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = `import "x";\n${pieces.join("")}`;
      const lines = splitLines(text);
      const { chunks } = chunkSource("x.ts", lines, parse(text));
      const isHeld = (line: number) =>
        chunks.some(({ startLine, endLine }) => startLine <= line && line <= endLine);
      const isComment = (line: string) => line.startsWith("//");
      const firstCode = lines.findIndex((line, at) => at > 0 && line !== "" && !isComment(line));
      const lost = lines.filter(
        (line, at) => at > 0 && /\w/.test(line) && !isHeld(at + 1) && at >= firstCode,
      );
      expect(lost).toEqual([]);
      for (const chunk of chunks) expect(chunk.endLine - chunk.startLine).toBeLessThan(100);
    }),
    { numRuns: 100 },
  );
});

test("a long function is cut between statements, and each later part repeats its signature", () => {
  const body = Array.from({ length: 60 }, (_, at) => `\tif x == ${at} {\n\t\tx++\n\t}\n`).join("");
  const text = `package p\n\n// long is long.\nfunc long(x int) {\n${body}}\n`;
  const lines = splitLines(text);
  const { chunks } = chunked(text);
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

test("every line of every symbol is in a chunk of that symbol, and no chunk is long", () => {
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
      const { chunks } = chunkSource("p.go", splitLines(text), parsed);
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
