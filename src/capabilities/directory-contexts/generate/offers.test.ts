import { describe, expect, test } from "vitest";
import { draftOf } from "../../../../tests/support/draft-of.ts";

describe("exports are told however they are written", () => {
  test.each([
    {
      form: "an object of CommonJS",
      files: {
        "a/x.js":
          "const { far } = require('../far');\nmodule.exports = { a, b: c, d(z) {}, e: async (y) => y, far, ...require('./y') };\n/** First. */\nfunction a(q) {}\nfunction c(r) {}\n",
        "a/y.js":
          "const { Far } = require('far');\nexports.Far = Far;\nexports.late = late;\nexports.n = 1;\nexports.K = class extends Map {};\nfunction late(t) {}\n",
      },
      expected: [
        ...["class K extends Map", "d(z)", "e(y)", "far from ../far", "late(t)", "n"],
        ...["a(q)", "b(r)", "Far from far"],
      ],
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
      expected: ["const one", "const $1", "class Range", "far from ../far"],
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
      expected: [
        ...["create(options)", "make(a)", "one(x)", "two(x)", "class Named extends Base", "of(n)"],
        "* from other",
      ],
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
        ...["deep from ./deep/deep.js", "broad from ./deep/deep.js", "* from pkg"],
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
  ])("$form", async ({ files, expected }) => {
    expect((await draftOf(files, "a")).exports).toEqual(expected);
  });
});

test("a directory that only passes things on is summarised by their names", async () => {
  const files = { "a/index.ts": 'export { open, close } from "./deep/x";\nexport * from "./deep/y";\n' };
  expect((await draftOf(files, "a")).summary).toBe("TypeScript code: open and close.");
});
