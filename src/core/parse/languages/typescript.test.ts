import { expect, test } from "vitest";
import { symbolLines } from "../../../../tests/support/symbol-lines.ts";
import { parseSource } from "../parse.ts";

test("classes with their methods, namespaces, functions in constants, what is exported", async () => {
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
  expect(await symbolLines("x.ts", text)).toEqual([
    "5-17 +class Store: export class Store<T> extends Base implements Has<T> // Keeps things.",
    "10-12 +method Store.add: add(item: T): void // Adds one.",
    "13-13 -method Store.#secret: static #secret()",
    "14-16 -method Store.handle: private handle = async (event: Event)",
    "18-18 -interface Has: interface Has<T>",
    "19-19 +type Id: export type Id",
    "20-20 -enum Colour: enum Colour",
    "22-22 +function double: const double = (n: number): number // Doubles.",
    "23-23 +const LIMIT: const LIMIT = 10",
    '23-23 +const other: const other = "x"',
    "24-24 +function default: export default function ()",
    "25-25 -module Inner: namespace Inner",
    "25-25 +function Inner.deep: export function deep()",
    "26-26 -function ambient: function ambient(): void",
  ]);
  expect((await parseSource("x.ts", text))?.imports).toEqual(["./a.ts", "./b.ts"]);
});

test("JavaScript and TSX: CommonJS exports and components", async () => {
  expect(
    await symbolLines(
      "x.cjs",
      "exports.run = function run(a) {};\nmodule.exports.n = 1;\nFoo.prototype.bar = () => 1;\n",
    ),
  ).toEqual([
    "1-1 +function run: exports.run = function run(a)",
    "2-2 +const n: module.exports.n = 1",
    "3-3 +method Foo.bar: Foo.prototype.bar = ()",
  ]);
  expect(
    await symbolLines(
      "x.js",
      `module.exports = class Widget { draw() {} };
module.exports = function () {};
Foo.bar = function (a) {};
const Shape = class { area() {} };
const { join, parse: { root }, sep = join, ...rest } = require("path"), [first] = rest;
window.answer = 42;
`,
    ),
  ).toEqual([
    "1-1 +class Widget: module.exports = class Widget",
    "1-1 +method Widget.draw: draw()",
    "2-2 +function default: module.exports = function ()",
    "3-3 +method Foo.bar: Foo.bar = function (a)",
    "4-4 -class Shape: const Shape = class",
    "4-4 +method Shape.area: area()",
    ...["join", "root", "sep", "rest"].map(
      (name) => `5-5 -const ${name}: const { join, parse: { root }, sep = join, ...rest } = require("path")`,
    ),
    "5-5 -const first: const [first] = rest",
  ]);
  expect(await symbolLines("x.js", "const trim = (a) =>\n  // Spaces only.\n  a.trim();\n")).toEqual([
    "1-3 -function trim: const trim = (a)",
  ]);
  expect(await symbolLines("x.tsx", "export const View = ({ a }: P) => <p>{a}</p>;\n")).toEqual([
    "1-1 +function View: const View = ({ a }: P)",
  ]);
});

test("methods that are only declared, as in declaration files and overloads", async () => {
  const text =
    "declare class Api {\n  get(id: string): User;\n  get(id: number): User;\n  static make(): Api;\n}\n";
  expect(await symbolLines("x.d.ts", text)).toEqual([
    "1-5 -class Api: class Api",
    "2-2 +method Api.get: get(id: string): User",
    "3-3 +method Api.get: get(id: number): User",
    "4-4 +method Api.make: static make(): Api",
  ]);
});
