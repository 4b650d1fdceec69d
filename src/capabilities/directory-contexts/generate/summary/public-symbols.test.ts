import { describe, expect, test } from "vitest";
import { draftOf } from "../../../../../tests/support/draft-of.ts";

describe("exports are found in every form", () => {
  test.each([
    {
      form: "an object of CommonJS",
      files: {
        "a/x.js":
          "const { far } = require('../far');\nmodule.exports = { a, b: c, d(z) {}, e: async (y) => y, far, ...require('./y') };\n/** First. */\nfunction a(q) {}\nfunction c(r) {}\n",
        "a/y.js":
          "const { Far } = require('far');\nexports.Far = Far;\nexports.late = late;\nexports.n = 1;\nexports.K = class extends Map {};\nfunction late(t) {}\n",
      },
      expected: [...["class K extends Map", "d(z)", "e(y)", "late(t)", "n"], ...["a(q)", "b(r)"]],
    },
    {
      form: "an object of the modules beside it",
      files: {
        "a/.eslintrc.js": "module.exports = { root: true };\n",
        "a/all.js": "module.exports = require('./index');\n",
        "a/index.js": "module.exports = { Range: require('./range'), far: require('../far') };\n",
        "a/range.js": "class Range {}\nmodule.exports = Range;\n",
        "a/esm.mjs": "import x from './index';\nexport const { one, two: $1 } = x;\n",
      },
      expected: ["const one", "const $1", "class Range"],
    },
    {
      form: "chains of CommonJS",
      files: {
        "a/app.js": "exports = module.exports = create;\nfunction create(options) {}\n",
        "a/make.js":
          "module.exports = exports = function make(a) {};\nexports.one = exports.two = (x) => x;\n",
        "a/named.js":
          "module.exports = class Named extends Base {};\nmodule.exports.of = function from(n) {};\n",
        "a/other.js": "module.exports = require('other');\n",
      },
      expected: [...["create(options)", "make(a)", "one(x)", "two(x)", "class Named extends Base", "of(n)"]],
    },
    {
      form: "lists and re-exports",
      files: {
        "a/index.ts":
          'export { Shown as Seen, hidden } from "./shown.js";\nexport * from "./shown.js";\nexport { default as Main } from "./main";\nexport { deep, wide as broad } from "./deep/deep.js";\nexport * from "pkg";\n',
        "a/main.ts": "export default function Main(): void {}\n",
        "a/shown.ts":
          "class Shown<T> {}\nconst hidden = async (n: number): Promise<void> => {};\nexport { Shown, hidden };\n",
      },
      expected: [
        ...["class Seen<T>", "hidden(n: number): Promise<void>", "class Shown<T>", "Main(): void"],
        ...["deep from ./deep/deep.js", "broad from ./deep/deep.js"],
      ],
    },
    {
      form: "a Python package",
      files: {
        "a/__init__.py":
          "from ._impl import Store, helper\nfrom .sub.far import far\n__all__ = ['Store', 'far']\n",
        "a/_impl.py": "class Store: ...\ndef helper(): ...\n",
        "a/other.py": "from ._impl import helper\n",
      },
      expected: ["class Store", "far from .sub.far"],
    },
    {
      form: "a Rust crate",
      files: {
        "a/lib.rs": "mod store;\npub use store::{Store, open as start};\npub use serde::Serialize;\n",
        "a/store.rs": "pub struct Store;\npub fn open(path: &str) {}\n",
      },
      expected: ["struct Store", "start(path: &str)", "Serialize from serde", "open(path: &str)"],
    },
    {
      form: "defaults without a name",
      files: {
        "a/arrow.ts": "export default (a: number, b: string) => a;\n",
        "a/base.ts": "export default abstract class extends Base {}\n",
        "a/cjs-one.js": "module.exports = function (a) {};\n",
        "a/data.ts": "export default { a: 1 };\n",
        "a/index.ts":
          'export { default } from "./arrow";\nexport { default as Far } from "far";\nexport * as default from "./far/away";\nconst q = 1;\nexport { q as "a-b" };\n',
        "a/types.d.ts": "export default function default_1(): void;\n",
        "a/views.ts": 'export { default } from "../Button.js";\n',
      },
      expected: [
        ...["arrow(a: number, b: string)", "abstract class base extends Base", "cjs-one(a)"],
        ...["types(): void"],
      ],
    },
    {
      form: "one entry for each name",
      files: {
        "a/esm.mjs": "import all from './index.js';\nexport const { Command, run } = all;\n",
        "a/index.js":
          "const { Command } = require('./deep/command');\nexports.Command = Command;\nexports.run = (x) => x;\n",
        "a/over.ts":
          "export function put(x: any): any;\n/** Puts a word. */\nexport function put(x: string): string;\nexport function put(x: any) {}\n",
        "a/over.py":
          "@overload\ndef get(x: int) -> int: ...\n@overload\ndef get(x: str) -> str: ...\ndef get(x): ...\n",
      },
      expected: ["Command from ./deep/command", "run(x)", "get(x: int) -> int", "put(x: string): string"],
    },
    {
      form: "a Go package beside files that are not part of it",
      files: {
        "a/fuzz.go": "//go:build gofuzz\n\npackage keys\n\nfunc Fuzz(data []byte) int { return 0 }\n",
        "a/gen.go": "//go:build ignore\n\n// Gen writes it all.\npackage main\n\ntype Type struct{}\n",
        "a/keys.go": "//go:build !ignore\n\npackage keys\n\nfunc Open() {}\n",
        "a/other.go": "package main\n\nfunc Other() {}\n",
      },
      expected: ["Open()"],
    },
  ])("$form", async ({ files, expected }) => {
    expect((await draftOf(files, "a")).exports).toEqual(expected);
  });
});

test("a directory that only re-exports is counted, not listed", async () => {
  const files = { "a/index.ts": 'export { open, close } from "./deep/x";\nexport * from "./deep/y";\n' };
  expect((await draftOf(files, "a")).summary).toBe("1 TypeScript file (derived).");
});

test("a Go package is summarised without the files that are not part of it", async () => {
  const files = {
    "a/doc.go": "//go:build ignore\n\n// Command gen writes it all.\npackage main\n",
    "a/keys.go": "package keys\n\n// ErrGone is returned.\nvar ErrGone error\n",
  };
  expect((await draftOf(files, "a")).summary).toBe("1 Go file (derived).");
});

test("re-exports of an entry file come first, some of each module", async () => {
  const classes = (name: string) =>
    Array.from({ length: 30 }, (_, index) => `class ${name}${index}:\n    """Told."""\n`).join("");
  const { exports, summary } = await draftOf(
    {
      "a/__init__.py": "from .types import *\nfrom .work import run\n",
      "a/internals.py": classes("Hidden"),
      "a/types.py": classes("Shown"),
      "a/work.py": 'def run(x):\n    """Runs it."""\n',
    },
    "a",
  );
  expect(exports).toEqual(expect.arrayContaining(["class Shown0", "run(x)", "… and 36 more"]));
  expect(exports?.filter((each) => each.includes("Hidden"))).toEqual([]);
  expect(summary).toBe("4 Python files (derived).");
});

test("imports from outside, private names and tool settings are not exports", async () => {
  const { exports } = await draftOf(
    {
      "a/__init__.py": "from ..globals import current_app as current_app\nfrom .keep import keep as keep\n",
      "a/conf.py": "release, version = '1', '2'\nrelease = '1'\n",
      "a/keep.py": "def keep(x): ...\n",
      "a/more.ts": "export class _Hidden {}\nexport class Shown {}\n",
    },
    "a",
  );
  expect(exports).toEqual(["keep(x)", "class Shown"]);
});

describe("exports of other languages", () => {
  test.each([
    {
      language: "Ruby",
      files: { "a/store.rb": "module Shop\n  class Store\n    def add(item)\n    end\n  end\nend\n" },
      expected: ["module Shop", "class Store"],
    },
    {
      language: "C#",
      files: {
        "a/Store.cs":
          "namespace Shop;\npublic class Store {\n  public int Size;\n}\npublic interface IStore {}\n",
      },
      expected: ["class Store", "interface IStore"],
    },
    {
      language: "C",
      files: { "a/store.c": "static int hidden(void) { return 0; }\nint add(int item) { return item; }\n" },
      expected: ["int add(int item)"],
    },
    {
      language: "a style sheet and a Makefile, which export nothing",
      files: { "a/Makefile": "build:\n\techo 1\n", "a/site.css": "body { color: red }\n" },
      expected: undefined,
    },
  ])("$language", async ({ files, expected }) => {
    expect((await draftOf(files, "a")).exports).toEqual(expected);
  });
});
