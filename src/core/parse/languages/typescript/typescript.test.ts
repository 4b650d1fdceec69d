import { expect, test } from "vitest";
import { symbolLines } from "../../../../../tests/support/symbol-lines.ts";
import { parseSource } from "../../parse.ts";

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

/** What a text exports by name: its own symbols, then what it only passes on. */
async function exportLines(path: string, text: string): Promise<string[]> {
  const { symbols = [], exports = [] } = (await parseSource(path, text)) ?? {};
  return [
    ...symbols
      .filter(({ exported, parent }) => exported && parent === undefined)
      .map(({ name, exportedAs, signature }) => `${exportedAs?.join(" ") ?? name}: ${signature}`),
    ...exports.map(({ name, declared, from, signature }) =>
      [
        name,
        ...(declared === undefined || name === declared ? [] : [`= ${declared}`]),
        ...(from ? [`from ${from}`] : []),
      ]
        .join(" ")
        .concat(signature === undefined ? "" : `: ${signature}`),
    ),
  ];
}

test("export lists and re-exports name what is declared here, and where the rest comes from", async () => {
  const text = `import one, { two as three } from "./numbers";
import * as all from "./all";
export { local, other as renamed, one, three, all, nowhere };
export { a, type b as c } from "./x";
export * from "./y";
export * as z from "./z";
export function both() {}
export { both as again };
function local(n: number): void {}
class other {}
export default Widget;
const Widget = () => 1;
`;
  expect(await exportLines("x.ts", text)).toEqual([
    "both again: export function both()",
    "local: function local(n: number): void",
    "renamed: class other",
    "default: export default",
    "default: const Widget = ()",
    "one = default from ./numbers",
    "three = two from ./numbers",
    "all = * from ./all",
    "nowhere",
    "a from ./x",
    "c = b from ./x",
    "* from ./y",
    "z = * from ./z",
  ]);
});

test("CommonJS exports objects, chains and other modules", async () => {
  expect(
    await exportLines(
      "x.js",
      `const { made, kept: held } = require("./made");
module.exports = { a, b: c, d() {}, 'e-f': function (x) {}, ...require("./more"), g: 3, get i() {}, h: require("./h"), made, held };
function a(q) {}
async function c(r) {}
`,
    ),
  ).toEqual([
    "default: module.exports",
    "a: function a(q)",
    "b: async function c(r)",
    "d: d()",
    "e-f: 'e-f': function (x)",
    "* from ./more",
    "g",
    "i",
    "h = default from ./h",
    "made from ./made",
    "held = kept from ./made",
  ]);
  expect(
    await exportLines(
      "x.js",
      `exports = module.exports = create;
var app = exports = module.exports = {};
exports.parse = read;
exports.a = exports.b = (x) => x;
module.exports = exports = function named(y) {};
module.exports = require("./all");
function create() {}
function read(text) {}
`,
    ),
  ).toEqual([
    "default: exports = module.exports = create",
    "default: var app = {}",
    "parse: exports.parse = read",
    "a: exports.a = exports.b = (x)",
    "b: exports.a = exports.b = (x)",
    "named: module.exports = exports = function named(y)",
    'default: module.exports = require("./all")',
    "default: function create()",
    "parse: function read(text)",
    "* from ./all",
  ]);
});

test("what an exported object holds itself is not what the file knows by that name", async () => {
  const text = `const fresh = require("fresh"), path = require("path");
const size = 1;
module.exports = { get fresh() {}, path: 1, size: "big", __esModule: true, method: path.join, path2: path };
`;
  expect((await parseSource("x.js", text))?.exports?.map(({ line, ...exported }) => exported)).toEqual([
    { name: "fresh" },
    { name: "path" },
    { name: "size" },
    { name: "method" },
    { name: "path2", declared: "default", from: "path" },
  ]);
});

test("a variable that is exported where it is declared is what its value is", async () => {
  const text = `exports.__esModule = true;
const re = exports.re = [], other = exports.renamed = 2;
const three = exports.three = (a) => a;
let Four = module.exports.Four = class extends Base {};
const far = local.far = function (x) {};
`;
  expect(await exportLines("x.js", text)).toEqual([
    "re: const re = []",
    "renamed: const other = 2",
    "three: const three = (a)",
    "Four: let Four = class extends Base",
  ]);
});

test("what a file loads as it runs is imported, wherever it says so", async () => {
  const text = `import fs = require("fs");
const a = require("./a"), b = other;
const c = require("./c")({});
module.exports = { d: require('../d'), e: { f: require("./f").g } };
exports.h = require(
  /* lazily */ "./h",
);
require("./i");
if (process.env.DEBUG) module.exports = require("./j"); else { run(require("./k")); }
const Page = lazy(() => import("./page"));
const data = await import("./data.json", { with: { type: "json" } });
let type: import("./types").Type;
const none = require(name); log("no");
// require("./comment")
const text = 'require("./text")';
const joined = require("./dir/" + name), local = my.require("./mine");
function later() { return require("./later"); }
`;
  expect((await parseSource("x.ts", text))?.imports).toEqual([
    "fs",
    "./a",
    "./c",
    "../d",
    "./f",
    "./h",
    "./i",
    "./j",
    "./k",
    "./page",
    "./data.json",
    "./types",
  ]);
});

test.each([
  ["abstract class extends Base<T> { a(): void {} }", "class", "abstract class extends Base<T>"],
  ["abstract class implements Has {}", "class", "abstract class implements Has"],
  ["abstract class {}", "class", "abstract class"],
  ["class extends Base {}", "class", "class extends Base"],
  ["async (a: number, b = 1) => a;", "function", "async (a: number, b = 1)"],
  ["async function* (a) {}", "function", "async function* (a)"],
  ["{ a: 1 };", "const", ""],
])("`export default %s` is the default %s", async (text, kind, head) => {
  const parsed = await parseSource("x.ts", `export default ${text}\n`);
  expect(parsed?.symbols[0]).toMatchObject({
    name: "default",
    kind,
    exported: true,
    signature: `export default ${head}`.trim(),
  });
});

test("names that are strings are names like others", async () => {
  const text = `import { "a b" as c } from "./x";
export { hidden as "string-name", c as 'd e' };
export { "f g" as h, default as i, "j k" } from './y';
const hidden = 1;
`;
  expect(await exportLines("x.ts", text)).toEqual([
    "string-name: const hidden = 1",
    "d e = a b from ./x",
    "h = f g from ./y",
    "i = default from ./y",
    "j k from ./y",
  ]);
});

test("what only the compiler knows is no syntax error as long as the declarations around it are found", async () => {
  const text = `export interface Box<out T> { get(): T }
class Pair<in out A> { first() {} }
if (x < unknown.y) { f(); }
export { a as null };
function after() {}
`;
  const parsed = await parseSource("x.ts", text);
  expect(parsed?.problems).toEqual([]);
  expect(parsed?.symbols.map(({ name }) => name)).toEqual(["Box", "Pair", "first", "after"]);
  const declarations = await parseSource(
    "x.d.ts",
    "export default function (a: number): string;\nexport const z: number;\n",
  );
  expect(declarations).toMatchObject({
    problems: [],
    symbols: [{ name: "default", kind: "function" }, { name: "z" }],
  });
});

test("an error that hides declarations is told", async () => {
  const parsed = await parseSource("x.ts", "function f() {}\nclass {\nfunction g() {}\n");
  expect(parsed?.problems.map(({ line }) => line)).toEqual([2]);
});

test("what follows an overload that begins with type parameters is found", async () => {
  const text = `export interface Handlers<
  E extends Env = Env,
  S extends Schema = Blank,
> {
  // one
  <
    P extends string = Path,
    R extends Answer<any> = any,
  >(
    handler: H<P, R>
  ): Base<
    Both<[E, P]>,
    S & ToSchema<P, Merge<R>>,
    Path
  >

  // two
  <
    P extends string = Path,
    R extends Answer<any> = any,
    M extends H<P> = H<P>,
  >(
    ...handlers: [H<P> & M, H<P, R>]
  ): Base<
    Both<[E, P]>,
    S & ToSchema<P, Merge<R> | Merge<M>>,
    Path
  >
}

/** Runs them. */
export function run() {}
`;
  const parsed = await parseSource("x.ts", text);
  expect(parsed?.symbols).toMatchObject([
    { kind: "interface", name: "Handlers" },
    { kind: "function", name: "run", exported: true, doc: "Runs them.", startLine: 32, endLine: 32 },
  ]);
});
