import { describe, expect, test } from "vitest";
import { openProject } from "../../../../tests/support/code-project.ts";

const GO = {
  "go.mod": "module example.org/shop\n\ngo 1.19\n",
  "store/store.go": `package store

// Store keeps things.
type Store struct{ size int }

// New makes a store.
func New() *Store { return &Store{} }

// Get finds one thing.
func (s *Store) Get(key string) string { return s.load(key) }

func (s *Store) load(key string) string { return key }

func unused() {}
`,
  "cache/cache.go": `package cache

type Cache struct{}

func (c *Cache) Get(key string) string { return key }
`,
  "main.go": `package main

import (
	"strings"

	"example.org/shop/cache"
	kept "example.org/shop/store"
)

func main() {
	s := kept.New()
	s.Get("a")
	serve(s, &cache.Cache{})
}

func serve(s *kept.Store, c *cache.Cache) {
	for _, Get := range strings.Split("a", ",") {
		s.Get(Get)
	}
	c.Get("b")
	strings.ToUpper("New")
}
`,
  "main_test.go": `package main

func TestServe(t *T) { serve(nil, nil) }
`,
};

const SCRIPTS = {
  "tsconfig.json": '{ "compilerOptions": { "paths": { "@lib/*": ["./lib/*"] } } }',
  "lib/store.ts": `export class Store {
  get(key: string) { return this.load(key); }
  load(key: string) { return key; }
}
export const open = () => new Store();
export default function make(): Store { return new Store(); }
`,
  "lib/index.ts": `export { Store as Shelf, open } from "./store.ts";
export * from "./store.ts";
`,
  "app.ts": `import made, { open as start } from "./lib/store.ts";
import { Shelf } from "@lib/index";
export function run(shelf: Shelf) {
  const open = 1;
  shelf.get("a" + open);
  made().get("b");
  start();
}
`,
  "old.cjs": `const { open, Store: Kept } = require("./lib/store");
open(new Kept());
`,
};

const PYTHON = {
  "shop/__init__.py": "from .store import Store as Store\n",
  "shop/store.py": `class Base:
    def close(self):
        pass

class Store(Base):
    def get(self, key):
        return self.load(key)

    def load(self, key):
        return key

def make():
    return Store()
`,
  "main.py": `import shop.store
from shop import Store
from shop.store import make as build

def run(make):
    store = Store()
    store.get(make)
    store.close()
    shop.store.make()
    build()
`,
};

const linesOf = async (
  files: Readonly<Record<string, string>>,
  symbol: string,
  form: Record<string, unknown> = {},
) => {
  await using project = openProject(files);
  const text = await project.shown("refs", { symbol, ...form });
  return text.split("\n").map((line) => line.trimEnd());
};

describe("references in Go", () => {
  test("a method is found by the type of its receiver, and a local name is not one", async () => {
    expect(await linesOf(GO, "Store.Get")).toEqual([
      "store/store.go:10 method Store.Get: func (s *Store) Get(key string) string",
      "2 references: 2 resolved (2 call)",
      "main.go",
      '  12 call: s.Get("a")',
      "  18 call: s.Get(Get)",
    ]);
  });

  test("a function is found through the name that a file gives its package", async () => {
    expect(await linesOf(GO, "store.New")).toEqual([
      "store/store.go:7 function New: func New() *Store",
      "1 references: 1 resolved (1 call)",
      "main.go",
      "  11 call: s := kept.New()",
    ]);
  });

  test("tests come last, under their own heading", async () => {
    expect(await linesOf(GO, "serve")).toEqual([
      "main.go:16 function serve: func serve(s *kept.Store, c *cache.Cache)",
      "2 references: 2 resolved (2 call)",
      "main.go",
      "  13 call: serve(s, &cache.Cache{})",
      "Tests:",
      "main_test.go",
      "  3 call: func TestServe(t *T) { serve(nil, nil) }",
    ]);
  });
});

test("scripts are followed through aliases, re-exports, default exports and require", async () => {
  expect(await linesOf(SCRIPTS, "lib/store.ts:5")).toEqual([
    "lib/store.ts:5 function open: const open = ()",
    "5 references: 5 resolved (2 import, 2 call, 1 read)",
    "app.ts",
    '  1 import: import made, { open as start } from "./lib/store.ts";',
    "  7 call: start();",
    "lib/index.ts",
    '  1 read: export { Store as Shelf, open } from "./store.ts";',
    "old.cjs",
    "  2 call: open(new Kept());",
  ]);
});

test("a call on a value of unknown type is probable only if no other type has the method", async () => {
  const files = {
    "relay.py": "class Relay:\n    def deliver(self): pass\n    def close(self): pass\n",
    "door.py": "class Door:\n    def close(self): pass\n",
    "main.py":
      "import relay\n\ndef run(value):\n    value.deliver()\n    value.close()\n    value.deliver = 1\n",
  };
  const uses = async (name: string) => (await linesOf(files, name)).filter((line) => line.startsWith("  "));
  expect([await uses("Relay.deliver"), await uses("Relay.close")]).toEqual([
    ["  4 call (probable): value.deliver()", "  6 write (name only): value.deliver = 1"],
    ["  5 call (name only): value.close()"],
  ]);
});

test("without rules for imports, the only definition in the directory is probable", async () => {
  const files = {
    "mail/relay.rb": "def deliver\nend\n",
    "mail/send.rb": "deliver\n",
    "post/relay.rb": "def deliver\nend\n",
    "main.rb": "deliver\n",
  };
  const lines = await linesOf(files, "mail/relay.rb:1");
  expect(lines.filter((line) => line.startsWith("  "))).toEqual([
    "  1 read (probable): deliver",
    "  1 read (name only): deliver",
  ]);
});

test("a method of a script is found by the types that the file tells", async () => {
  const lines = await linesOf(SCRIPTS, "Store.get");
  expect(lines.filter((line) => line.startsWith("  "))).toEqual([
    '  5 call: shelf.get("a" + open);',
    '  6 call: made().get("b");',
  ]);
});

test("Python modules, packages, base classes and renamed imports are followed", async () => {
  expect((await linesOf(PYTHON, "Base.close")).at(-1)).toBe("  8 call: store.close()");
  expect((await linesOf(PYTHON, "make")).filter((line) => line.startsWith("  "))).toEqual([
    "  3 import: from shop.store import make as build",
    "  9 call: shop.store.make()",
    "  10 call: build()",
  ]);
});

test("a symbol is shown whole, or its candidates if there are several", async () => {
  await using project = openProject(GO);
  expect(await project.shown("def", { symbol: "Store.load" })).toBe(
    ["store/store.go:12-12 method Store.load", "func (s *Store) load(key string) string { return key }"].join(
      "\n",
    ),
  );
  expect((await project.shown("def", { symbol: "Get" })).split("\n")).toHaveLength(2);
  expect(await project.shown("def", { symbol: "nothing" })).toContain("No symbol is called nothing.");
});

test("calls are shown as a tree, in both directions", async () => {
  await using project = openProject(GO);
  expect((await project.shown("calls", { symbol: "Store.load" })).split("\n")).toEqual([
    "store/store.go:12 Store.load",
    "  store/store.go:10 Store.Get: func (s *Store) Get(key string) string { return s.load(key) }",
    '    main.go:12 main: s.Get("a")',
    "    main.go:18 serve: s.Get(Get)",
  ]);
  expect(
    (await project.shown("calls", { symbol: "main", direction: "callees", depth: 1 })).split("\n"),
  ).toEqual([
    "main.go:10 main",
    "  store/store.go:7 New: func New() *Store { return &Store{} }",
    "  store/store.go:10 Store.Get: func (s *Store) Get(key string) string { return s.load(key) }",
    "  main.go:16 serve: func serve(s *kept.Store, c *cache.Cache) {",
  ]);
});

test("an outline has the symbols of a file with their lines and docs", async () => {
  await using project = openProject(GO);
  expect((await project.shown("outline", { path: "store/store.go" })).split("\n").slice(0, 4)).toEqual([
    "store/store.go",
    "  4-4 type Store struct  // Store keeps things.",
    "  7-7 func New() *Store  // New makes a store.",
    "    10-10 func (s *Store) Get(key string) string  // Get finds one thing.",
  ]);
});

test("unused definitions are listed, the surest first", async () => {
  await using project = openProject(GO);
  expect((await project.shown("unused", {})).split("\n")[0]).toBe("store/store.go:14  sure  function unused");
});

test("an edit moves the answer", async () => {
  await using project = openProject(GO);
  await project.shown("refs", { symbol: "store.New" });
  project.write("extra.go", 'package main\n\nimport "example.org/shop/store"\n\nvar s = store.New()\n');
  expect(await project.shown("refs", { symbol: "store.New" })).toContain(
    "extra.go\n  5 call: var s = store.New()",
  );
});

test("the impact of a change are its callers and the tests that reach it", async () => {
  await using project = openProject(GO);
  const commit = ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "one"];
  project.git("init", "-q");
  project.git("add", "-A");
  project.git(...commit);
  project.write("store/store.go", GO["store/store.go"].replace("return key }", "return key + key }"));
  const text = await project.shown("impact", {});
  expect(text.split("\n")).toEqual([
    "Changed:",
    "  store/store.go:12 method Store.load",
    "Reached by calls:",
    "  store/store.go:10 method Store.Get → load",
    "  main.go:10 function main → Get",
    "  main.go:16 function serve → Get",
    "Tests that reach it:",
    "  main_test.go",
  ]);
});

test("a line of a change that looks like a header of a diff changes nothing about its files", async () => {
  await using project = openProject(GO);
  project.git("init", "-q");
  project.git("add", "-A");
  project.git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "one");
  const spoof = "/*\n++ b/main.go\n@@ -1 +10 @@\n*/\nfunc (s *Store) load";
  project.write("store/store.go", GO["store/store.go"].replace("func (s *Store) load", spoof));
  expect(await project.shown("impact", {})).not.toContain("main.go:10 function main\n");
});

test("a change of a file whose name git quotes has its impact, whatever the repository's settings for diffs", async () => {
  const names = ["größe.ts", "with space.ts", 'the "quoted".ts', "back\\slash.ts", "tab\there.ts"];
  const sources = names.map((name, at) => [
    name,
    `export const part${at} = 1;\n\n\nexport const end${at} = 1;\n`,
  ]);
  await using project = openProject(Object.fromEntries(sources));
  project.git("init", "-q");
  project.git("add", "-A");
  project.git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "one");
  const settings = [
    "noprefix=true",
    "mnemonicPrefix=true",
    "interHunkContext=9",
    "context=9",
    "renames=copies",
  ];
  for (const setting of settings) project.git("config", ...`diff.${setting}`.split("="));
  project.git("config", "color.ui", "always");
  for (const [name = "", text = ""] of sources) project.write(name, text.replaceAll("= 1", "= 2"));
  const text = await project.shown("impact", {});
  const changed = text.split("\n").filter((line) => /part|end/.test(line));
  expect(changed).toHaveLength(2 * names.length);
});

test("a name that one file declares and calls thousands of times has its callers and callees", async () => {
  const source = "export function same() { same(); same(); }\n".repeat(6_000);
  await using project = openProject({
    "same.ts": source,
    "one.ts": 'import { same } from "./same.ts";\nexport const one = () => same();\n',
  });
  for (const direction of ["callers", "callees"])
    expect(await project.shown("calls", { symbol: "same", direction, budget: 400 })).toContain(
      "\n  same.ts:2 same: ",
    );
  expect((await project.shown("refs", { symbol: "same.ts:3" })).split("\n")[1]).toBe(
    "12002 references: 12002 resolved (1 import, 12001 call)",
  );
});

test.each(["x".repeat(1_001), `${"(".repeat(2_000_000)}\n`])(
  "a symbol that is too long is refused",
  async (symbol) => {
    await using project = openProject(GO);
    await expect(project.shown("def", { symbol })).rejects.toThrow("at most 1000 characters");
  },
);

test("Java members are found without `this`, through imports and base classes", async () => {
  const files = {
    "src/a/Base.java": "package a;\npublic class Base {\n  protected void close() {}\n}\n",
    "src/b/Store.java": `package b;
import a.Base;
public class Store extends Base {
  void open() { close(); load("x"); }
  private String load(String key) { return key; }
}
`,
    "src/b/Main.java": "package b;\nclass Main {\n  void run(Store store) { store.open(); }\n}\n",
  };
  expect((await linesOf(files, "Base.close")).slice(1)).toEqual([
    "1 references: 1 resolved (1 call)",
    "src/b/Store.java",
    '  4 call: void open() { close(); load("x"); }',
  ]);
  expect((await linesOf(files, "Store.open")).at(-1)).toBe(
    "  3 call: void run(Store store) { store.open(); }",
  );
  expect((await linesOf(files, "Base")).slice(1)).toEqual([
    "2 references: 2 resolved (1 import, 1 inherit)",
    "src/b/Store.java",
    "  2 import: import a.Base;",
    "  3 inherit: public class Store extends Base {",
  ]);
});

test("Rust modules, `use` and methods of a type are followed", async () => {
  const files = {
    "src/lib.rs":
      "mod store;\nuse crate::store::{open, Store as Kept};\n\npub fn run() {\n    let kept: Kept = open();\n    kept.get();\n}\n",
    "src/store.rs": `pub struct Store;

impl Store {
    pub fn get(&self) -> u32 { self.load() }
    fn load(&self) -> u32 { 1 }
}

pub fn open() -> Store { Store }
`,
  };
  expect((await linesOf(files, "Store.get")).at(-1)).toBe("  6 call: kept.get();");
  expect((await linesOf(files, "Store.load")).at(-1)).toBe(
    "  4 call: pub fn get(&self) -> u32 { self.load() }",
  );
  expect((await linesOf(files, "open")).slice(1)).toEqual([
    "2 references: 2 resolved (1 import, 1 call)",
    "src/lib.rs",
    "  2 import: use crate::store::{open, Store as Kept};",
    "  5 call: let kept: Kept = open();",
  ]);
});

test.each([
  ["a megabyte of brackets", "function f() {}\n".concat("[[[[[[[[[\n".repeat(100_000))],
  ["deep calls", `function f() {}\n${"f(\n".repeat(1_500)}${")\n".repeat(1_500)}\n`],
  ["a sum of thousands of names", `function f() {}\n${"f.a().b +\n".repeat(20_000)}1\n`],
])("%s is indexed, and the definition is still found", async (_what, text) => {
  await using project = openProject({ "a.js": text });
  expect(await project.shown("def", { symbol: "f" })).toContain("a.js:1");
});
