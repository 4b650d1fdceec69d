import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { languageOf, loadLanguage, MAX_PARSED_LENGTH, parseSource } from "./parse.ts";

const ODDITIES = join(import.meta.dirname, "../../../tests/contracts/golden/code-index/oddities");

/** A symbol on one line: its place, kind, parent and head. */
async function outline(path: string, text: string): Promise<string[]> {
  const parsed = await parseSource(path, text);
  return (parsed?.symbols ?? []).map(
    ({ startLine, endLine, kind, parent, name, signature, doc, exported }) =>
      `${startLine}-${endLine} ${exported ? "+" : "-"}${kind} ${parent ? `${parent}.` : ""}${name}: ${signature}${doc ? ` // ${doc}` : ""}`,
  );
}

describe("Go", () => {
  const files = readdirSync(ODDITIES).filter((file) => file.endsWith(".go"));
  test.each(files)("%s gives the symbols listed beside it", async (file) => {
    const expected: unknown = JSON.parse(
      readFileSync(join(ODDITIES, file.replace(/\.go$/, ".json")), "utf8"),
    );
    expect(await parseSource(file, readFileSync(join(ODDITIES, file), "utf8"))).toEqual(expected);
  });

  test("a long function may be cut where its statements begin, never elsewhere", async () => {
    const statements = Array.from({ length: 30 }, (_, at) => `\tif x == ${at} {\n\t\tx++\n\t}`);
    const text = `package p\n\nfunc long(x int) {\n${statements.join("\n")}\n}\n`;
    const [symbol] = (await parseSource("p.go", text))?.symbols ?? [];
    const lines = text.split("\n");
    expect(symbol?.cuts.length).toBeGreaterThan(25);
    expect(symbol?.cuts.map((line) => lines[line - 1]?.trim().slice(0, 2))).toEqual(
      symbol?.cuts.map(() => "if"),
    );
  });

  test("a thousand nested operands do not exhaust the stack", async () => {
    const sum = Array.from({ length: 5000 }, (_, at) => `"${at}" +\n`).join("");
    expect(await outline("p.go", `package p\n\nvar s = ${sum}"end"\n\nfunc After() {}\n`)).toHaveLength(2);
  });
});

test("TypeScript: classes with their methods, namespaces, functions in constants, what is exported", async () => {
  const text = `import { a } from "./a.ts";
export * from "./b.ts";

/** Keeps things. */
@injectable()
export class Store<T> extends Base implements Has<T> {
  #items: T[] = [];
  readonly size = 1;
  /** Adds one. */
  add(item: T): void {
    this.#items.push(item);
  }
  static #secret() {}
  private handle = async (event: Event) => {
    await event;
  };
}
interface Has<T> { has(item: T): boolean }
export type Id = string & { readonly brand: unique symbol };
enum Colour { Red, Green }
// Doubles.
export const double = (n: number): number => n * 2;
export const LIMIT = 10, other = "x";
export default function () {}
namespace Inner { export function deep() {} }
declare function ambient(): void;
`;
  expect(await outline("x.ts", text)).toEqual([
    "5-17 +class Store: export class Store<T> extends Base implements Has<T> // Keeps things.",
    "10-12 +method Store.add: add(item: T): void // Adds one.",
    "13-13 -method Store.#secret: static #secret()",
    "14-16 -method Store.handle: private handle = async (event: Event) =>",
    "18-18 -interface Has: interface Has<T>",
    "19-19 +type Id: export type Id =",
    "20-20 -enum Colour: enum Colour",
    "22-22 +function double: const double = (n: number): number // Doubles.",
    "23-23 +const LIMIT: const LIMIT = 10",
    '23-23 +const other: const other = "x"',
    "24-24 +function default: export default function ()",
    "25-25 -module Inner: namespace Inner",
    "25-25 +method Inner.deep: export function deep()",
    "26-26 -function ambient: function ambient(): void;",
  ]);
  expect((await parseSource("x.ts", text))?.imports).toEqual(["./a.ts", "./b.ts"]);
});

test("JavaScript and TSX: CommonJS exports and components", async () => {
  expect(
    await outline(
      "x.cjs",
      "exports.run = function run(a) {};\nmodule.exports.n = 1;\nFoo.prototype.bar = () => 1;\n",
    ),
  ).toEqual([
    "1-1 +function run: exports.run = function run(a)",
    "2-2 +const n: module.exports.n = 1;",
    "3-3 +function bar: Foo.prototype.bar = () =>",
  ]);
  expect(await outline("x.js", "const trim = (a) =>\n  // Spaces only.\n  a.trim();\n")).toEqual([
    "1-3 -function trim: const trim = (a)",
  ]);
  expect(await outline("x.tsx", "export const View = ({ a }: P) => <p>{a}</p>;\n")).toEqual([
    "1-1 +function View: const View = ({ a }: P)",
  ]);
});

test("Python: docstrings, decorators, methods, constants, and what stands under a condition", async () => {
  const text = `"""The module."""
import os
from a.b import c

LIMIT = 10
_hidden: int = 2

@cache
def find(name: str, *, deep=False) -> list:
    """Finds things.

    Slowly.
    """
    return []

class Store(Base):
    """Keeps."""
    size = 1

    @property
    async def items(self): return []

if True:
    def late(): pass
`;
  expect(await outline("x.py", text)).toEqual([
    "5-5 +const LIMIT: LIMIT = 10",
    "6-6 -var _hidden: _hidden: int = 2",
    "8-14 +function find: def find(name: str, *, deep=False) -> list // Finds things.\n\nSlowly.",
    "16-21 +class Store: class Store(Base) // Keeps.",
    "20-21 +method Store.items: async def items(self)",
    "24-24 +function late: def late()",
  ]);
  expect(await parseSource("x.py", text)).toMatchObject({ doc: "The module.", imports: ["os", "a.b"] });
});

test("Rust: items, impl blocks, traits, attributes between comment and item", async () => {
  const text = `//! The crate.
use std::io;

/// A store.
#[derive(Debug)]
pub struct Store<T> { items: Vec<T> }

impl<T: Clone> Store<T> {
    /// Adds one.
    pub fn add(&mut self, item: T) -> usize { 1 }
}
pub trait Has { fn has(&self) -> bool; }
enum Colour { Red }
const LIMIT: usize = 10;
mod inner { pub fn deep() {} }
macro_rules! twice { ($x:expr) => { $x; $x } }
`;
  expect(await outline("x.rs", text)).toEqual([
    "6-6 +struct Store: pub struct Store<T> // A store.",
    "10-10 +method Store.add: pub fn add(&mut self, item: T) -> usize // Adds one.",
    "12-12 +interface Has: pub trait Has",
    "12-12 -method Has.has: fn has(&self) -> bool;",
    "13-13 -enum Colour: enum Colour",
    "14-14 -const LIMIT: const LIMIT: usize = 10;",
    "15-15 +function deep: pub fn deep()",
    "16-16 -macro twice: macro_rules! twice {",
  ]);
  expect(await parseSource("x.rs", text)).toMatchObject({ doc: "The crate.", imports: ["std::io"] });
});

test("Java: types, members, nesting, annotations left out of the head", async () => {
  const text = `package a.b;
import java.util.List;

/** A store. */
@Service
public class Store<T> extends Base {
  private int size;
  /** Adds. */
  @Override public void add(T item) {}
  private Store() {}
  enum Colour { RED; void paint() {} }
}
interface Has { boolean has(); }
record Pair(int a, int b) {}
`;
  expect(await outline("x.java", text)).toEqual([
    "5-12 +class Store: public class Store<T> extends Base // A store.",
    "9-9 +method Store.add: public void add(T item) // Adds.",
    "10-10 -method Store.Store: private Store()",
    "11-11 +enum Store.Colour: enum Colour",
    "11-11 +method Colour.paint: void paint()",
    "13-13 +interface Has: interface Has",
    "13-13 +method Has.has: boolean has();",
    "14-14 +class Pair: record Pair(int a, int b)",
  ]);
  expect(await parseSource("x.java", text)).toMatchObject({
    packageName: "a.b",
    imports: ["java.util.List"],
  });
});

test("a language is known by the extension alone", () => {
  expect(["a/b.go", "x.PY", "x.d.ts", "Makefile", "x.txt", ".go"].map(languageOf)).toEqual([
    "go",
    "python",
    "typescript",
    undefined,
    undefined,
    "go",
  ]);
});

test("a text too large to parse is told, not parsed", async () => {
  const parse = await loadLanguage("go");
  expect(parse(" ".repeat(MAX_PARSED_LENGTH + 1))).toMatchObject({
    symbols: [],
    problems: [{ line: 1, message: "the file is too large to parse" }],
  });
});

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
