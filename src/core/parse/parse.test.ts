import fc from "fast-check";
import { expect, test } from "vitest";
import { languageOf, loadLanguage, MAX_PARSED_LENGTH, parseSource } from "./parse.ts";

test("the header is the package clause and the imports; licences and marks beside them are told apart", async () => {
  const licence = "// Copyright the authors.\n// All rights\n// reserved.\n";
  const headerOf = async (path: string, text: string) => {
    const { header, notices } = (await parseSource(path, text)) ?? {};
    const shown = [header, notices].map((ranges) =>
      ranges?.map((range) => `${range.startLine}-${range.endLine}`),
    );
    return { header: shown[0], notices: shown[1] };
  };
  expect(
    await headerOf("p.go", `${licence}\n/*\npackage x\n*/\n\npackage p\n\nimport "fmt"\n\nfunc f() {}\n`),
  ).toEqual({
    header: ["9-11"],
    notices: ["1-3"],
  });
  expect(
    await headerOf(
      "x.js",
      '#!/usr/bin/env node\n"use strict";\nconst a = require("a");\n// Ours.\nconst { b } = require("./b").c;\nrun(a, b);\nimport "c";\n',
    ),
  ).toEqual({ header: ["2-5", "7-7"], notices: ["1-1", "4-4"] });
});

test("a language is known by the extension, the whole name or the interpreter", () => {
  expect(
    ["a/b.go", "x.PY", "x.d.ts", "Makefile", "x.txt", ".go", "README.md"].map((path) => languageOf(path)),
  ).toEqual(["go", "python", "typescript", "makefile", undefined, "go", undefined]);
  expect(
    [
      "#!/bin/sh",
      "#!/usr/bin/env -S python3.11 -u",
      "#! /usr/bin/ruby",
      "#!/usr/bin/env X=1 node",
      "hello",
    ].map((line) => languageOf("bin/run", line)),
  ).toEqual(["bash", "python", "ruby", "javascript", undefined]);
});

test("a text too large to parse is told, not parsed", async () => {
  const parse = await loadLanguage("go");
  expect(parse(" ".repeat(MAX_PARSED_LENGTH + 1))).toMatchObject({
    symbols: [],
    problems: [{ line: 1, message: "the file is too large to parse" }],
  });
});

test.each([
  ["rust", `pub use ${"{".repeat(50_000)}a${"}".repeat(50_000)};`, "fn a() {}"],
  ["javascript", `const ${"[".repeat(50_000)}a${"]".repeat(50_000)} = 1;`, "function a() {}"],
] as const)(
  "a text of %s that is nested too deeply is told, and the next one is parsed",
  async (language, text, next) => {
    const parse = await loadLanguage(language);
    expect(parse(text).problems).toEqual([{ line: 1, message: "the file is nested too deeply to parse" }]);
    expect(parse(next).symbols).toMatchObject([{ name: "a" }]);
  },
);

test("no text makes a parser throw, and every symbol lies within the text", async () => {
  const parsers = await Promise.all(
    (["go", "typescript", "python", "rust", "java"] as const).map(loadLanguage),
  );
  const words = fc.constantFrom(
    "func ",
    "class ",
    "{",
    "}",
    "(",
    ")",
    "\n",
    "type ",
    "X",
    "def f():",
    "/*",
    "*/",
    "//",
    '"',
    "=",
    "struct",
    "\u{1f600}",
    "\0",
    "impl ",
    "export ",
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 60 }), (parts) => {
      const text = parts.join("");
      const lines = text.split("\n").length;
      for (const parse of parsers) {
        for (const { startLine, endLine, docStartLine } of parse(text).symbols) {
          expect(
            docStartLine >= 1 && docStartLine <= startLine && startLine <= endLine && endLine <= lines,
          ).toBe(true);
        }
      }
    }),
    { numRuns: 100 },
  );
});
