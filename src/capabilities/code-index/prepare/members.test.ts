import { describe, expect, test } from "vitest";
import { openProject } from "../../../../tests/support/code-project.ts";
import { parseSource } from "../../../core/parse/parse.ts";
import { chunkSource } from "./chunk-file.ts";

const FIELDS: readonly [file: string, text: string, field: string, holder: string][] = [
  ["a.go", "package p\n\ntype Pool struct {\n\tMaxIdleConns int\n}\n", "MaxIdleConns", "Pool"],
  ["b.go", "package p\n\ntype Dialer interface {\n\tDialTimeout(n int) error\n}\n", "DialTimeout", "Dialer"],
  ["a.ts", "export interface Pool {\n  readonly maxIdle: number;\n}\n", "maxIdle", "Pool"],
  ["b.ts", "export class Pool {\n  private maxIdle = 3;\n}\n", "maxIdle", "Pool"],
  ["a.js", "class Pool {\n  maxIdle = 3;\n}\n", "maxIdle", "Pool"],
  ["a.rs", "pub struct Pool {\n    pub max_idle: u8,\n}\n", "max_idle", "Pool"],
  ["b.rs", "pub trait Pool {\n    fn dial_timeout(&self);\n}\n", "dial_timeout", "Pool"],
  ["A.java", "class Pool {\n  private int maxIdle;\n}\n", "maxIdle", "Pool"],
  ["a.c", "struct pool {\n  int max_idle;\n};\n", "max_idle", "pool"],
  ["a.cpp", "class Pool {\n  int max_idle;\n};\n", "max_idle", "Pool"],
  ["a.cs", "class Pool {\n  public int MaxIdle { get; set; }\n}\n", "MaxIdle", "Pool"],
  ["a.py", "class Pool:\n    max_idle: int = 3\n", "max_idle", "Pool"],
  ["a.kt", "class Pool {\n  val maxIdle = 3\n}\n", "maxIdle", "Pool"],
  ["a.swift", "struct Pool {\n  var maxIdle: Int\n}\n", "maxIdle", "Pool"],
  ["a.scala", "class Pool {\n  val maxIdle = 3\n}\n", "maxIdle", "Pool"],
  ["a.dart", "class Pool {\n  int maxIdle = 3;\n}\n", "maxIdle", "Pool"],
  ["a.php", "<?php\nclass Pool {\n  private $maxIdle = 3;\n}\n", "maxIdle", "Pool"],
];

test.each(FIELDS)(
  "in %s the name of a field finds it in what holds it",
  async (file, text, field, holder) => {
    const users = `# ${`${field} `.repeat(20)}\n`;
    await using project = openProject({ [file]: text, "notes.txt": users });
    await project.index();
    for (const search_mode of ["keyword", "hybrid"]) {
      const [first] = (await project.search(field, { search_mode })).results;
      expect([first?.file.path, first?.symbol.name, first?.symbol.parent]).toEqual([file, field, holder]);
    }
    const line = text.slice(0, text.indexOf(field)).split("\n").length;
    expect(await project.shown("symbols", { name: field })).toContain(`${file}:${line} `);
  },
);

const CLASSES: readonly [file: string, head: string, method: (name: string) => string, end: string][] = [
  ["a.ts", "class Pool {", (name) => `  ${name}() {\n    return 1;\n  }`, "}"],
  ["a.py", "class Pool:", (name) => `    def ${name}(self):\n        pass\n`, ""],
  ["a.rb", "class Pool", (name) => `  def ${name}\n    1\n  end`, "end"],
  ["A.java", "class Pool {", (name) => `  void ${name}() {\n    run();\n  }`, "}"],
  ["a.cs", "class Pool {", (name) => `  void ${name}() {\n    Run();\n  }`, "}"],
  ["a.php", "<?php\nclass Pool {", (name) => `  function ${name}() {\n    return 1;\n  }`, "}"],
  ["a.kt", "class Pool {", (name) => `  fun ${name}() {\n    run()\n  }`, "}"],
  ["a.swift", "class Pool {", (name) => `  func ${name}() {\n    run()\n  }`, "}"],
  ["a.scala", "class Pool {", (name) => `  def ${name}() = {\n    1\n  }`, "}"],
  ["a.dart", "class Pool {", (name) => `  void ${name}() {\n    run();\n  }`, "}"],
  ["a.cpp", "class Pool {", (name) => `  void ${name}() {\n    run();\n  }`, "};"],
];

test.each(CLASSES)(
  "in %s the head of a long class and each of its methods have chunks of their own",
  async (path, head, method, end) => {
    const names = Array.from({ length: 20 }, (_, at) => `step${at}`);
    const text = [head, ...names.map(method), end].join("\n");
    const parsed = await parseSource(path, text);
    const chunks = parsed ? chunkSource(path, text.split("\n"), parsed).chunks : [];
    const found = chunks.map(({ symbols }) => symbols[0]?.name).filter((name) => name !== path);
    expect(found).toEqual(["Pool", ...names]);
  },
);

test("a field comes after a function of its name", async () => {
  const struct = "package p\n\n// Timeout Timeout Timeout\ntype Client struct {\n\tTimeout int\n}\n";
  const csharp = "class Client {\n  public int Timeout { get; set; }\n}\n";
  await using project = openProject({
    "a.go": struct,
    "b.cs": csharp,
    "z.go": "package p\n\nfunc Timeout() int { return 1 }\n",
  });
  await project.index();
  for (const search_mode of ["keyword", "hybrid"]) {
    const [first] = (await project.search("Timeout", { search_mode })).results;
    expect(first?.symbol).toMatchObject({ name: "Timeout", kind: "function" });
  }
  expect(await project.shown("symbols", { name: "Timeout" })).toMatch(/^z\.go:3 /);
});

describe("prose and data", () => {
  const files = {
    "main.go": "package main\n\nfunc main() {}\n",
    "README.md": `# Guide\n\nText.\n\n## Install\n\n${"word\n".repeat(8)}\n\`\`\`\n# comment\n\`\`\`\n\n## Usage\n\nnarwhal\n`,
    "ci.yaml": "name: x\njobs:\n  build: y\n",
    "conf.toml": "[package]\nname = 1\n",
    "app.json": '{\n  "scripts": {\n    "build": "x"\n  }\n}\n',
    Makefile: "# Builds.\nbuild: a\n\tgo build\n",
    Dockerfile: "FROM node AS runtime\nRUN x\n",
  };

  test("headings, keys and targets are symbols with their line", async () => {
    await using project = openProject(files);
    await project.index();
    const shown = async (name: string) =>
      (await project.shown("symbols", { name })).split("\n").map((line) => line.replace(/\s+/g, " ").trim());
    expect(
      await Promise.all(["Install", "jobs", "package", "scripts", "build", "runtime"].map(shown)),
    ).toEqual([
      ["README.md:5 heading ## Install"],
      ["ci.yaml:2 key jobs"],
      ["conf.toml:1 key [package]"],
      ['app.json:2 key "scripts"'],
      ["Makefile:2 target build: a"],
      ["Dockerfile:1 target FROM node AS runtime"],
    ]);
  });

  test("Markdown is cut at its headings, not at comments in its code, and a section knows what it is in", async () => {
    await using project = openProject(files);
    await project.index();
    const [first] = (await project.search("narwhal")).results;
    expect(first?.content).toBe("## Usage\n\nnarwhal");
    expect(first?.symbol).toMatchObject({ name: "README.md", kind: "file", doc_comment: "Guide" });
  });

  test("a key is no answer to the name of a function, and does not come first for a word", async () => {
    await using project = openProject({
      ...files,
      "z.go": "package main\n\n// runs the jobs\nfunc jobs() {}\n",
    });
    await project.index();
    expect((await project.search("jobs")).results[0]?.symbol).toMatchObject({
      kind: "function",
      name: "jobs",
    });
  });
});
