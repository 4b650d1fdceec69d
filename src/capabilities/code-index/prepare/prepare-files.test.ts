import { expect, test } from "vitest";
import { openProject, source } from "../../../../tests/support/code-project.ts";

test("every word of a project is found: outside symbols, far along a line, at the end of a long function", async () => {
  const statements = Array.from({ length: 90 }, (_, at) => `    print("${"step ".repeat(25)}", ${at})\n`);
  await using project = openProject({
    "run.py":
      'import os\n\nlogging.basicConfig(level="quetzal")\n\ndef main():\n    pass\n\n\nrunner("okapi")\n',
    "GUIDE.md": `# Guide\n\n${"word ".repeat(300)}narwhal\n`,
    "long.py": `def long():\n${statements.join("")}    print("axolotl")\n`,
  });
  await project.index();
  const first = async (query: string) => (await project.search(query)).results[0]?.file.path;
  expect(await Promise.all(["quetzal", "okapi", "narwhal", "axolotl"].map(first))).toEqual([
    "run.py",
    "run.py",
    "GUIDE.md",
    "long.py",
  ]);
});

test("only the beginning of a minified file is found; a file with a long line of data is not minified", async () => {
  const functions = Array.from({ length: 300 }, (_, at) => `function quetzal${at}(e){return e+${at}}`);
  await using project = openProject({
    "app.min.js": `/*! narwhal 1.0 */\n${functions.join(";")}\n`,
    "data.js": `export const okapi = "${"x".repeat(1_900)}";\n`,
    "data.go": `package p\n\nvar Axolotl = "${"x".repeat(9_000)}"\n`,
  });
  expect((await project.index()).statistics).toMatchObject({ files_indexed: 3, symbols_extracted: 2 });
  const kinds = async (query: string) =>
    (await project.search(query)).results.map(({ symbol }) => `${symbol.kind} ${symbol.name}`);
  expect(await Promise.all(["narwhal", "quetzal299", "okapi", "Axolotl"].map(kinds))).toEqual([
    ["file app.min.js"],
    [],
    ["const okapi"],
    ["var Axolotl"],
  ]);
});

test("a package of a nested module is found by that module's name", async () => {
  await using project = openProject({
    "go.mod": "module example.org/root\n",
    "nested/go.mod": "module example.org/nested\n",
    "nested/x/n.go": source("Nested"),
  });
  await project.index();
  const found = async (name: string) =>
    (await project.search("Nested", { filters: { packages: [name] } })).results.map(
      ({ symbol }) => symbol.name,
    );
  expect(await found("example.org/nested/x")).toEqual(["Nested"]);
  expect(await found("example.org/root/nested/x")).toEqual([]);
});

test("the imports are shown above a result, not the licence", async () => {
  const licence = "// Copyright the authors.\n".repeat(25);
  await using project = openProject({
    "a.ts": `${licence}\nimport { a } from "./a.ts";\n\nexport function quetzal() {\n  a();\n}\n`,
  });
  await project.index();
  const { results } = await project.search("quetzal");
  expect(results[0]?.context_before).toBe('import { a } from "./a.ts";');
});
