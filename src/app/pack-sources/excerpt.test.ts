import { expect, test } from "vitest";
import { declarationLine } from "./code-lines.ts";
import { codeSizes } from "./code-sizes.ts";

const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `    step_${from + index}()`);

const ROUTES = [
  "# The routes command.",
  '@click.command("routes", short_help="Show the routes.")',
  "@click.option(",
  '    "--sort",',
  ")",
  "def routes_command(sort: str) -> None:",
  ...numbered(20),
  "    for rule in rules:",
  "        if sort:",
  "            echo(",
  "                rule,",
  "                format,",
  "            )",
  ...numbered(40, 20),
];
const symbol = { path: "cli.py", line: 2, endLine: ROUTES.length };

test("a long function is cut to its head and the statements around the lines that match", () => {
  const [whole, long, short] = codeSizes(symbol, ROUTES, { words: ["echo"] });
  expect(whole?.citation).toEqual({ path: "cli.py", start: 1, end: ROUTES.length });
  const cut = [
    "def routes_command(sort: str) -> None:",
    "    … 20 lines",
    "    for rule in rules:",
    "        if sort:",
    "            echo(",
    "                rule,",
    "                format,",
    "            )",
    "    step_20()",
    "    … 39 lines",
  ].join("\n");
  expect([long, short].map((size) => size?.text)).toEqual([cut, undefined]);
  expect(long?.citation).toEqual({ path: "cli.py", start: 6, end: ROUTES.length });
});

test("lines that name the symbol which led here matter most", () => {
  const lines = ["func TestAll() {", ...numbered(30), "\tDeliver()", ...numbered(30, 30), "}"];
  const [, , short] = codeSizes({ path: "a_test.go", line: 1, endLine: lines.length }, lines, {
    words: ["step_1"],
    name: "Deliver",
  });
  expect(short?.text).toContain("\tDeliver()");
});

test("a function without a matching line is cut to its beginning", () => {
  const lines = ["def f():", ...numbered(60)];
  const [, , short] = codeSizes({ path: "f.py", line: 1, endLine: 61 }, lines, { words: [] });
  expect(short?.text).toBe(["def f():", ...numbered(9), "    … 51 lines"].join("\n"));
});

test("a short function has only one size", () => {
  const lines = ["def f():", ...numbered(6)];
  expect(codeSizes({ path: "f.py", line: 1, endLine: 7 }, lines, { words: ["step"] })).toHaveLength(1);
});

test.each([
  ["a decorator of many lines", ["@option(", '  "--x",', ")", "def f():", "  pass"], 4],
  ["attributes", ["#[derive(Debug)]", "pub struct S {", "}"], 2],
  ["a comment", ["/**", " * Does it.", " */", "void f() {", "}"], 4],
  ["nothing above it", ["func f() {", "}"], 1],
])("the declaration is below %s", (_what, lines, expected) => {
  expect(declarationLine(lines, { line: 1, endLine: lines.length })).toBe(expected);
});
