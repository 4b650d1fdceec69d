import { expect, test } from "vitest";
import { openProject } from "../../../../tests/support/code-project.ts";
import type { Neighbours, SymbolLocation } from "../schemas.ts";

type Project = ReturnType<typeof openProject>;

async function neighboursOf(project: Project, location: SymbolLocation, testDepth = 1) {
  const [near] = await project.room.neighbours(project.root, { locations: [location], testDepth });
  const names = (kind: keyof Neighbours) => near?.[kind].map(({ path, name }) => `${path} ${name}`);
  return {
    callers: names("callers"),
    callees: names("callees"),
    tests: names("tests"),
    types: names("types"),
    implementations: names("implementations"),
  };
}

test("a private method of a class has neighbours", async () => {
  const path = "counter.js";
  await using project = openProject({
    [path]:
      "export class Counter {\n  #increment() {\n    this.count += 1;\n  }\n\n  click() {\n    this.#increment();\n  }\n}\n",
  });
  await project.index();
  for (const name of ["#increment", "a-b", "operator[]", "x?", "a/b"]) {
    const { callers } = await neighboursOf(project, { path, name });
    expect(callers?.every((caller) => caller.startsWith(`${path} `))).toBe(true);
  }
  expect((await neighboursOf(project, { path, name: "#increment" })).callers).toEqual(["counter.js click"]);
});

test("neighbours are resolved by imports, not by the name alone", async () => {
  await using project = openProject({
    "store.ts":
      "export interface Store {\n  get(key: string): string;\n}\n\nexport function load(store: Store): string {\n  return trim(store.get('a'));\n}\n\nfunction trim(text: string) {\n  return text;\n}\n",
    "memory.ts":
      "import type { Store } from './store.ts';\n\nexport class Memory implements Store {\n  get(key: string) {\n    return key;\n  }\n}\n",
    "app.ts":
      "import { load } from './store.ts';\nimport { Memory } from './memory.ts';\n\nexport function start() {\n  return load(new Memory());\n}\n",
    "other.ts": "function load() {}\n\nexport function unrelated() {\n  return load();\n}\n",
    "app.test.ts":
      "import { start } from './app.ts';\n\nexport function checksStart() {\n  return start();\n}\n",
  });
  await project.index();
  expect(await neighboursOf(project, { path: "store.ts", name: "load" })).toEqual({
    callers: ["app.ts start"],
    callees: ["store.ts trim", "memory.ts get"],
    tests: [],
    types: ["store.ts Store"],
    implementations: [],
  });
  expect((await neighboursOf(project, { path: "store.ts", name: "load" }, 3)).tests).toEqual([
    "app.test.ts checksStart",
  ]);
  expect((await neighboursOf(project, { path: "store.ts", name: "Store" })).implementations).toEqual([
    "memory.ts Memory",
  ]);
});

test("tests of a Rust file are told from its other functions", async () => {
  await using project = openProject({
    "Cargo.toml": '[package]\nname = "p"\n',
    "src/lib.rs":
      "pub fn double(n: u32) -> u32 {\n    n * 2\n}\n\npub fn four() -> u32 {\n    double(2)\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn doubles() {\n        assert_eq!(double(2), 4);\n    }\n}\n\n#[test]\nfn doubles_outside() {\n    double(1);\n}\n\npub fn six() -> u32 {\n    double(3)\n}\n",
    "tests/whole.rs": "fn helper() {\n    p::double(5);\n}\n",
  });
  await project.index();
  const { callers, tests } = await neighboursOf(project, { path: "src/lib.rs", name: "double" });
  expect(callers).toEqual(["src/lib.rs four", "src/lib.rs six"]);
  expect(tests).toEqual(expect.arrayContaining(["src/lib.rs doubles_outside", "tests/whole.rs helper"]));
});
