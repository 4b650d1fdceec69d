import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { draftOf } from "../../../../tests/support/draft-of.ts";
import { tempDir } from "../../../../tests/support/temp-dir.ts";
import { readManifests } from "./sources/manifests.ts";
import { openNodeManagers } from "./sources/node-manager.ts";
import { describeProject } from "./summary/project.ts";
import { firstSentences } from "./summary/sentences.ts";
import { summarize } from "./summary/summary.ts";

describe("each language gives exports, internal dependencies and a summary", () => {
  test.each([
    {
      language: "Go",
      scope: "store",
      files: {
        "go.mod": "module example.com/shop\n\ngo 1.22\n",
        "keys/keys.go": "package keys\n",
        "store/store.go":
          '// Copyright someone.\n\n// Package store keeps things. It is small.\npackage store\n\nimport (\n\t"fmt"\n\t"example.com/shop/keys"\n)\n\n// Open opens it.\nfunc Open(path string) (*Store, error) { return nil, nil }\n\ntype Store struct{}\n\nfunc (s *Store) Close() {}\n\nfunc hidden() {}\n',
        "store/store_test.go": "package store\n\nfunc TestX() {}\n",
      },
      expected: {
        summary: "Package store keeps things. It is small.",
        exports: ["Open(path string) (*Store, error)", "type Store struct"],
        dependencies: { internal: ["keys"] },
      },
    },
    {
      language: "Python",
      scope: "shop/orders",
      files: {
        "shop/__init__.py": "",
        "shop/db/__init__.py": "",
        "shop/orders/__init__.py": '"""Orders and what becomes of them."""\n',
        "shop/orders/place.py":
          'from ..db import connect\nimport os\nimport shop.db\n\ndef place(id: int) -> bool:\n    """Place it."""\n    return True\n\ndef _private(): ...\n',
      },
      expected: {
        summary: "Orders and what becomes of them.",
        exports: ["place(id: int) -> bool"],
        dependencies: { internal: ["shop/db"] },
      },
    },
    {
      language: "Rust",
      scope: "src/net",
      files: {
        "Cargo.toml": '[package]\nname = "x"\n',
        "src/lib.rs": "pub mod net;\n",
        "src/codec/mod.rs": "",
        "src/net/mod.rs":
          "//! Talks to peers.\nuse crate::codec::Frame;\nuse std::io;\n/// Connects.\npub fn connect(host: &str) -> u8 { 0 }\nfn hidden() {}\n",
      },
      expected: {
        summary: "Talks to peers.",
        exports: ["connect(host: &str) -> u8"],
        dependencies: { internal: ["src/codec"] },
      },
    },
    {
      language: "Java",
      scope: "src/main/java/com/shop/orders",
      files: {
        "src/main/java/com/shop/db/Db.java": "package com.shop.db;\npublic class Db {}\n",
        "src/main/java/com/shop/orders/Orders.java":
          "package com.shop.orders;\nimport com.shop.db.Db;\nimport java.util.List;\n/** All orders of a shop. */\npublic class Orders { }\n",
      },
      expected: {
        summary: "1 Java file (derived).",
        exports: ["class Orders"],
        dependencies: { internal: ["src/main/java/com/shop/db"] },
      },
    },
    {
      language: "JavaScript",
      scope: "lib",
      files: {
        "core/index.js": "",
        "lib/parse.js":
          'import { x } from "../core/index.js";\nexport function parse(text) { return x(text); }\nexport class Parser {}\n',
        "lib/print.js": "export const print = (tree) => tree;\n",
      },
      expected: {
        summary: "2 JavaScript files (derived).",
        exports: ["parse(text)", "class Parser", "print(tree)"],
        dependencies: { internal: ["core"] },
      },
    },
  ])("$language", async ({ files, scope, expected }) => {
    expect(await draftOf(files, scope)).toEqual({ ...expected, maintenance: expect.any(String) });
  });
});

describe("a summary comes from the best source", () => {
  test.each([
    {
      from: "a nested manifest",
      files: { "a/package.json": '{"description":"Draws charts"}', "a/README.md": "# A\n\nNo." },
      expected: "Draws charts",
    },
    {
      from: "the first prose of a README",
      files: {
        "a/README.md":
          "# Title\n\n[![badge](x)](y)\n\n<!-- hidden -->\n\nKeeps **all** [keys](k.md). Twice.\nThird.\n",
      },
      expected: "Keeps all keys. Twice.",
    },
    {
      from: "a manifest that speaks of tools and licences",
      files: { "a/package.json": '{"description":"ESLint rules for licensed software"}' },
      expected: "ESLint rules for licensed software",
    },
    {
      from: "a quotation below an underlined title",
      files: { "a/README.rst": "Keys\n====\n\n> Über <b>alle</b> keys vs. Locks. Twice.\n" },
      expected: "Über alle keys vs. Locks. Twice.",
    },
    {
      from: "the title rather than how to install",
      files: { "a/README.md": "# Key store\n\nHi.\n\n## Installation\n\nRun the installer now.\n" },
      expected: "Key store.",
    },
    {
      from: "a README below its notes and steps",
      files: {
        "a/README.md":
          "# A\n\n> [!NOTE]\n> Old releases differ.\n\nInstall a packer with\n\n    npm install packer\n\nKeeps keys on disk.\n",
      },
      expected: "Keeps keys on disk.",
    },
    {
      from: "a README below its directives, sponsors and questions",
      files: {
        "a/README.rst":
          "A\n=\n\n.. code-block:: python\n\n  import a and more\n\n`Acme <https://acme.test>`_ is a bank that pays us.\n\nDo you come from b? Read this.\n\nKeeps keys on disk.\n",
      },
      expected: "Keeps keys on disk.",
    },
    {
      from: "a README below its links and pointers, and not one about tests",
      files: {
        "a/README.md":
          "# A\n\nAPI: [latest release](x) - [main branch](y)\n\nThe roadmap can be found here.\n\nKeeps keys on disk.\n",
        "b/README.md": "# Tests\n\nThey run in four jobs.\n",
      },
      expected: "Keeps keys on disk.",
    },
    {
      from: "a README that says what it is below the meaning of its name",
      files: {
        "a/README.md":
          "# a\n\n*a* German noun: a letter, the first of all letters.\n\nA is a store that keeps keys.\n",
      },
      expected: "A is a store that keeps keys.",
    },
    {
      from: "a README below its motto",
      files: {
        "a/README.md": "# A\n\n> Keys are important. <br/>\n> -- A locksmith\n\nKeeps keys on disk.\n",
      },
      expected: "Keeps keys on disk.",
    },
    {
      from: "a README that says what it is below an introduction to the subject",
      files: {
        "a/README.md":
          "# A\n\nKeys are how shops are locked all night & day.\n\nA is an archive of keys:\n\n* safe\n",
      },
      expected: "A is an archive of keys.",
    },
    {
      from: "no section of a README, no state of the work and no text about a text",
      files: {
        "a/README.md":
          "# A\n\nThis is work in progress.\n\nThis guide shows how keys are kept.\n\n## Caches\n\nWarm caches open doors.\n",
        "a/package.json": '{"description":"Draws charts"}',
      },
      expected: "Draws charts",
    },
    {
      from: "a first sentence without the remark after it",
      files: { "a/__init__.py": '"""Keeps keys on disk. Please consult the manual: https://x.org"""\n' },
      expected: "Keeps keys on disk.",
    },
    {
      from: "no description that is not filled in, and no comment about the file",
      files: {
        "a/index.ts": "// This file must not import anything.\n\nexport const a = 1;\n",
        "a/package.json": '{"description":"Charts and $(Description)"}',
      },
      expected: "2 files (derived).",
    },
    {
      from: "no comment that begins in the middle",
      files: { "a/__init__.py": '"""There are two places to look,\n\n- one\n"""\n' },
      expected: "1 Python file (derived).",
    },
    {
      from: "no description that a package repeats from the whole",
      files: {
        "package.json": '{"name":"shop","description":"A fast web shop"}',
        "a/package.json": '{"name":"@shop/a","description":"Shop - a fast web shop (@a)"}',
      },
      expected: "Shop - a fast web shop (@a)",
    },
    {
      from: "a README whose title begins like that of a section",
      files: { "a/README.md": "# test-kit\n\nHelps to write tests.\n" },
      expected: "Helps to write tests.",
    },
    {
      from: "what a README says below the package's own name",
      files: {
        "a/package.json": '{"name":"@acme/keys"}',
        "a/README.md": "<p>Acme makes it easy</p>\n\n# `@acme/keys`\n\n> Keeps keys on disk.\n",
      },
      expected: "Keeps keys on disk.",
    },
    {
      from: "a manifest rather than a README that says where to read on",
      files: {
        "a/README.md": "## Part of keys\n\nView the [documentation](https://x.org).\n",
        "a/composer.json": '{"name":"acme/keys","description":"Keeps keys in FTP."}',
      },
      expected: "Keeps keys in FTP.",
    },
    {
      from: "a project file of .NET",
      files: {
        "a/Keys.csproj": "<Project><Description>Keeps keys.</Description></Project>",
        "a/A.cs": "public class A {}\n",
      },
      expected: "Keeps keys.",
    },
    {
      from: "an inner block comment of Rust",
      files: { "a/mod.rs": "/*!\nKeeps keys on disk.\n*/\nuse std::io;\n" },
      expected: "Keeps keys on disk.",
    },
    {
      from: "the module in the file beside the directory",
      files: {
        "a.rb": "require 'a/b'\n# Keeps keys on disk.\nmodule A\nend\n",
        "a/b.rb": "module A\n  class B\n  end\nend\n",
      },
      expected: "Keeps keys on disk.",
    },
    {
      from: "the package that is named like the directory",
      files: {
        "pyproject.toml": '[project]\nname = "a"\ndescription = "Keeps keys."\n',
        "a/b.py": "def c(): pass\n",
      },
      expected: "Source code of a: Keeps keys (derived).",
    },
    {
      from: "not the package, if its code is above the directory",
      files: {
        "pyproject.toml": '[project]\nname = "shop"\ndescription = "Keeps keys."\n',
        ...{ "b.py": "", "c.py": "", "d.py": "", "e.py": "", "a/f.py": "def g(): pass\n" },
      },
      expected: "1 Python file (derived).",
    },
    {
      from: "a docstring without its underline",
      files: { "a/__init__.py": '"""\nKeeping keys\n~~~~~~~~~~~~\n\nMore.\n"""\n' },
      expected: "Keeping keys",
    },
    {
      from: "no comment for a tool",
      files: { "a/__init__.py": "# noqa: E501 because of reasons\nclass Key: ...\n" },
      expected: "1 Python file (derived).",
    },
    {
      from: "not one function of several exports, though only it has a comment",
      files: { "a/x.ts": "/** Opens all the keys. */\nexport function open() {}\nexport class Y {}\n" },
      expected: "1 TypeScript file (derived).",
    },
    {
      from: "no name of a manifest",
      files: { "a/package.json": '{"name":"charts"}' },
      expected: "1 file (derived).",
    },
    {
      from: "the description of a pom",
      files: {
        "a/pom.xml":
          "<project><parent><description>No.</description></parent><description>Draws &amp; prints.</description></project>",
      },
      expected: "Draws & prints.",
    },
    { from: "the title of a README", files: { "a/README.md": "# C# keys #\n" }, expected: "C# keys." },
    {
      from: "prose after a heading without words",
      files: { "a/README.md": "#\nKeeps all [keys](k_(1).md).\n" },
      expected: "Keeps all keys.",
    },
    {
      from: "no function in the file of its name",
      files: {
        "a/a.ts":
          "/** One file. */\nexport interface AFile {}\n/** Lists the files. */\nexport function listAll() {}\n",
        "a/b.ts": "",
      },
      expected: "2 TypeScript files (derived).",
    },
    {
      from: "a comment at the top of index.ts",
      files: { "a/index.ts": "// Draws charts.\n\nexport const a = 1;\n" },
      expected: "Draws charts.",
    },
    {
      from: "the file of the directory's name",
      files: { "a/a.ts": "/** The A of it all. */\n\nexport class A {}\n", "a/b.ts": "export const b = 1;" },
      expected: "The A of it all.",
    },
    {
      from: "not a licence",
      files: { "a/index.ts": "/* Copyright 2020 X. All rights reserved. */\n\nexport const a = 1;\n" },
      expected: "1 TypeScript file (derived).",
    },
    {
      from: "a count of type definitions, not their names",
      files: { "a/x.d.ts": "", "a/y.d.ts": "" },
      expected: "2 TypeScript files (derived).",
    },
    {
      from: "a count of tests",
      files: { "a/x.test.ts": "1", "a/y.test.ts": "2" },
      expected: "2 test files for a (derived).",
    },
    {
      from: "the package's comment before README and manifest",
      files: {
        "a/__init__.py": '"""Keeps the keys of a shop."""\n',
        "a/README.md": "# A\n\nSomething else is here.\n",
        "a/package.json": '{"description":"Draws charts"}',
      },
      expected: "Keeps the keys of a shop.",
    },
    {
      from: "a README's sentence before the manifest",
      files: {
        "a/README.md": "# A\n\nKeeps the keys of a shop.\n",
        "a/package.json": '{"description":"Draws charts"}',
      },
      expected: "Keeps the keys of a shop.",
    },
    {
      from: "a README's first sentence inside HTML, not its row of links",
      files: {
        "a/README.md":
          '<p align="center">\n<h1 align="center">Zap</h1>\n<p align="center">\nSchema checks with static types\n</p>\n</p>\n<a href="x">Docs</a> &nbsp;•&nbsp; <a href="y">Chat</a>\n\nMore text is here.\n',
      },
      expected: "Schema checks with static types",
    },
    {
      from: "a count, if only single types and functions have comments",
      files: {
        "a/jar.py": 'class CookieJar:\n    """Jar that stores cookies as a list."""\n',
        "a/session.py": 'class SessionCookies:\n    """Keeps cookies in the client session."""\n',
        "a/go.py": 'def jsonify(x):\n    """Answers with the arguments as JSON."""\n',
      },
      expected: "3 Python files (derived).",
    },
    {
      from: "a count of style sheets",
      files: { "a/x.css": "1", "a/y.scss": "2" },
      expected: "2 CSS files (derived).",
    },
  ])("$from", async ({ files, expected }) => {
    expect((await draftOf(files, "a")).summary).toBe(expected);
  });
});

test("a directory with a single child is described as that child", () => {
  const input = { scope: "src/main", directoryName: "main", sources: [], manifests: [] };
  const children = [{ name: "java", summary: "All orders of a shop." }];
  expect(summarize({ ...input, children }).text).toBe("All orders of a shop.");
  expect(summarize({ ...input, children: [...children, { name: "resources", summary: "" }] }).text).toBe(
    "Code in 2 directories (derived).",
  );
});

test.each([
  { own: "a manifest", files: { "package.json": '{"name":"shop"}', "tsconfig.json": "{}" } },
  { own: "a go.mod", files: { "go.mod": "module example.com/shop\n" } },
  { own: "configuration in code", files: { "vite.config.ts": "export default {};", "LICENSE.md": "MIT" } },
])("a directory with no more than $own is described by its children", async ({ files }) => {
  const children = [
    { name: "api", summary: "Serves it." },
    { name: "web", summary: "Shows it." },
  ];
  const sources = Object.entries(files).map(([name, text]) => ({ name, text, isTest: false }));
  const input = {
    scope: ".",
    directoryName: "x",
    sources,
    manifests: readManifests(new Map(Object.entries(files))),
  };
  expect(summarize({ ...input, children }).text).toBe("Code in 2 directories (derived).");
  expect(summarize({ ...input, children: children.slice(1) }).text).toBe("Shows it.");
});

test("a secret in a manifest or a comment does not reach the draft", async () => {
  const token = ["ghp", "x7Kd93mQpL2vRt5Yw8Zb1Nc4Hf6Jg0Sa9Eu3"].join("_");
  const made = await draftOf({ "a/README.md": `Uses the token ${token} for all.\n` }, "a");
  expect(JSON.stringify(made)).not.toContain(token);
});

describe("package manager and language are detected", () => {
  const json = (extra: object = {}) => ({ "package.json": JSON.stringify({ name: "x", ...extra }) });
  test.each([
    { input: "no lock file", files: json(), sources: ["a.js"], expected: ["javascript", "npm"] },
    {
      input: "package-lock.json",
      files: { ...json(), "package-lock.json": "" },
      sources: ["a.js"],
      expected: ["javascript", "npm"],
    },
    {
      input: "pnpm-lock.yaml",
      files: { ...json(), "pnpm-lock.yaml": "" },
      sources: ["a.ts"],
      expected: ["typescript", "pnpm"],
    },
    {
      input: "yarn.lock",
      files: { ...json(), "yarn.lock": "" },
      sources: ["a.js", "b.ts"],
      expected: ["javascript", "yarn"],
    },
    {
      input: "bun.lockb",
      files: { ...json(), "bun.lockb": "" },
      sources: ["a.ts"],
      expected: ["typescript", "bun"],
    },
    {
      input: "bun.lock and tsconfig.json",
      files: { ...json(), "bun.lock": "", "tsconfig.json": "" },
      sources: [],
      expected: ["typescript", "bun"],
    },
    {
      input: "the packageManager field",
      files: { ...json({ packageManager: "yarn@4.1.0" }), "package-lock.json": "" },
      sources: ["a.js"],
      expected: ["javascript", "yarn"],
    },
    {
      input: "uv.lock",
      files: { "pyproject.toml": '[project]\nname = "x"\n', "uv.lock": "" },
      sources: ["a.py"],
      expected: ["python", "uv"],
    },
    {
      input: "poetry",
      files: { "pyproject.toml": '[tool.poetry]\nname = "x"\n', "poetry.lock": "" },
      sources: ["a.py"],
      expected: ["python", "poetry"],
    },
    {
      input: "Cargo.toml",
      files: { "Cargo.toml": '[package]\nname = "x"\n' },
      sources: ["a.rs"],
      expected: ["rust", "cargo"],
    },
    { input: "go.mod", files: { "go.mod": "module x\n" }, sources: ["a.go"], expected: ["go", "go"] },
    {
      input: "Django with a package.json for tools",
      files: { ...json(), "requirements.txt": "django\n" },
      sources: ["a.py", "b.py", "c.js"],
      expected: ["python", "pip"],
    },
    {
      input: "pom.xml",
      files: { "pom.xml": "<project><artifactId>x</artifactId></project>" },
      sources: ["a.java", "b.py"],
      expected: ["java", "maven"],
    },
    { input: "only files", files: {}, sources: ["a.java", "b.java", "c.py"], expected: ["java", undefined] },
  ])("$input", ({ files, sources, expected }) => {
    using dir = tempDir();
    for (const [name, content] of Object.entries(files)) writeFileSync(join(dir.path, name), content);
    const found = describeProject({
      directoryName: "x",
      summary: "",
      manifests: readManifests(new Map(Object.entries(files))),
      rootFiles: new Set(Object.keys(files)),
      nodeManager: openNodeManagers(dir.path)("."),
      sources,
    });
    expect([found.language, found.package_manager]).toEqual(expected);
  });
});

test("a package of a workspace is tested with the package manager of the workspace", async () => {
  const files = {
    "pnpm-lock.yaml": "",
    "package.json": "{}",
    "packages/a/package.json": '{"scripts":{"test":"vitest"}}',
    "own/package.json": '{"scripts":{"test":"vitest"}}',
    "own/package-lock.json": "{}",
  };
  expect((await draftOf(files, "packages/a")).testing).toEqual(["pnpm test"]);
  expect((await draftOf(files, "own")).testing).toEqual(["npm test"]);
});

test("if there are too many exports, the most important of each file are listed, and the rest are counted", async () => {
  const functions = (name: string) =>
    Array.from({ length: 20 }, (_, index) => `export function ${name}${index}() {}\n`).join("");
  const { exports } = await draftOf(
    {
      "a/a.ts": functions("a"),
      "a/b.ts": `${functions("b")}/** Told. */\nexport function membersPhrase() {}\nexport interface B {}\n`,
      "a/_private.py": "def hidden(): ...\n",
    },
    "a",
  );
  expect(exports).toEqual(
    expect.arrayContaining(["a11()", "b9()", "membersPhrase()", "interface B", "… and 17 more"]),
  );
  expect(exports).toHaveLength(26);
});

test("external dependencies come from the manifest of the directory", async () => {
  const found = readManifests(
    new Map([
      ["package.json", "{ not json"],
      ["requirements.txt", "# c\nrequests[security]>=2.0 ; python_version > '3'\n-r other.txt\nflask\n"],
      [
        "go.mod",
        "module x\n\nrequire (\n\tgithub.com/a/b v1.2.3\n\tgithub.com/c/d v0.1.0 // indirect\n)\nexclude (\n\tgithub.com/e/f v1.0.0\n)\n",
      ],
      [
        "Cargo.toml",
        '[dependencies]\nserde = { version = "1", features = [] }\n[dev-dependencies]\nx = "2"\n',
      ],
    ]),
  );
  expect(found.map(({ kind, dependencies }) => [kind, dependencies])).toEqual([
    ["python", ["requests >=2.0", "flask"]],
    ["rust", ["serde 1", "x 2 (dev)"]],
    ["go", ["github.com/a/b v1.2.3"]],
  ]);
});

test("a pom's own dependencies are read, not those it manages or its plugins have", () => {
  const dependency = (name: string) =>
    `<dependency><groupId>org.shop</groupId><artifactId>${name}</artifactId><version>1.${"$"}{minor}</version></dependency>`;
  const pom = `<?xml version="1.0"?><project xmlns="http://maven.apache.org/POM/4.0.0">
    <!-- <name>Commented</name> --><artifactId>shop</artifactId><name>Shop &amp; <![CDATA[Co]]></name>
    <dependencyManagement><dependencies>${dependency("managed")}</dependencies></dependencyManagement>
    <dependencies>${dependency("keys")}<dependency><artifactId>b</artifactId></dependency></dependencies>
    <build><plugins><plugin><artifactId>p</artifactId><dependencies>${dependency("c")}</dependencies></plugin></plugins></build>
  </project>`;
  expect(readManifests(new Map([["pom.xml", pom]]))).toEqual([
    {
      kind: "maven",
      name: "Shop & Co",
      description: "",
      dependencies: ["org.shop:keys", ":b"],
      testCommand: "mvn test",
    },
  ]);
});

test("sentences are cut at their ends, at two, and at the limit", () => {
  expect(firstSentences("One e.g. two. Three! Four.")).toBe("One e.g. two. Three!");
  expect(firstSentences(`${"word ".repeat(60)}.`)).toMatch(/^(word )+word\.\.\.$/);
  expect(firstSentences("Hi")).toBe("");
});
