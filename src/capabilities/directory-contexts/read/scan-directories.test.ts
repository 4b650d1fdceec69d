import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { tempDir } from "../../../../tests/support/temp-dir.ts";
import { scanDirectories } from "./scan-directories.ts";
import { Settings } from "./settings.ts";

const ALL = Settings.parse({ min_tokens: 0 });
const git = (root: string, ...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" });

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}
const scopesOf = async (root: string, settings = ALL) =>
  (await scanDirectories(root, settings)).directories.map(({ scope }) => scope);

test("generated directories, dot directories and those without source files are left out", async () => {
  using dir = tempDir();
  const left = ["node_modules/a", "dist", "x/build", ".github", "vendor/y", "target", "tmp", "x/__pycache__"];
  for (const scope of [...left, "src", "x"]) write(dir.path, { [`${scope}/a.ts`]: "" });
  write(dir.path, { "images/logo.png": "", "deep/er/Makefile": "", "only/.context.yaml": "" });
  expect(await scopesOf(dir.path)).toEqual([".", "deep", "deep/er", "src", "x"]);
});

test(".contextignore and the settings exclude directories, and a negation includes one again", async () => {
  using dir = tempDir();
  for (const scope of ["a", "a/gen", "b/gen", "keep/gen"]) write(dir.path, { [`${scope}/x.go`]: "" });
  write(dir.path, { ".contextignore": "# comment\ngen/\n!/keep/gen/\n" });
  expect(await scopesOf(dir.path)).toEqual([".", "a", "keep", "keep/gen"]);
  expect(await scopesOf(dir.path, { ...ALL, ignore: ["/keep"] })).toEqual([".", "a"]);
});

test("directories that need no context get none, unless a person keeps one", async () => {
  using dir = tempDir();
  const large = "x".repeat(20_000);
  const scopes = ["src/orders", "src/testdata", "src/locales", "src/gen", "tests/unit", "src/orders/tests"];
  for (const scope of scopes) write(dir.path, { [`${scope}/a.ts`]: large, [`${scope}/b.ts`]: "" });
  write(dir.path, { "src/orders/index.ts": "", "src/parcels/a.ts": large, "src/parcels/b.ts": "" });
  write(dir.path, { "docs/guide/README.md": large, "docs/guide/b.md": large });
  write(dir.path, { "docs/site/index.ts": large, "docs/site/b.ts": "" });
  write(dir.path, { "src/docs/guide/README.md": large, "src/docs/guide/setup.py": large });
  write(dir.path, { "src/single/a.ts": large, "src/single/a.test.ts": large });
  const settings = Settings.parse({});
  expect(await scopesOf(dir.path, settings)).toEqual([".", "docs/site", "src/orders", "tests"]);
  write(dir.path, { ".contextignore": "!src/testdata/\n", "src/single/.context.yaml": "version: 1\n" });
  expect(await scopesOf(dir.path, settings)).toEqual([
    ...[".", "docs/site", "src/orders", "src/single", "src/testdata", "tests"],
  ]);
});

test("a single file that may have the comment of a package is read", async () => {
  using dir = tempDir();
  const large = "x".repeat(20_000);
  const files = {
    "mill/mill.go": large,
    "oven/__init__.py": large,
    "shop/index.ts": large,
    "shop/a/b.rb": large,
  };
  write(dir.path, { ...files, "devdocs/README.md": large });
  expect(await scopesOf(dir.path, Settings.parse({}))).toEqual([".", "mill", "oven"]);
});

test("a directory of tests stands for those below it", async () => {
  using dir = tempDir();
  write(dir.path, { "tests/a/x.ts": "x".repeat(20_000), "tests/b/y.ts": "", "tests/z.ts": "" });
  const { directories } = await scanDirectories(dir.path, Settings.parse({}));
  expect(directories.map(({ scope, filesBelow }) => [scope, filesBelow])).toEqual([
    [".", undefined],
    ["tests", 2],
  ]);
});

test("max_depth limits the depth", async () => {
  using dir = tempDir();
  write(dir.path, { "1/2/3/a.ts": "", "1/a.ts": "" });
  expect(await scopesOf(dir.path, { ...ALL, max_depth: 2 })).toEqual([".", "1"]);
});

test("tracked directories that are gone or have become links are left out", async () => {
  using dir = tempDir();
  write(dir.path, { "gone/a.ts": "", "linked/a.ts": "", "here/a.ts": "" });
  git(dir.path, "init", "--quiet");
  git(dir.path, "add", "--all");
  rmSync(join(dir.path, "gone"), { recursive: true });
  rmSync(join(dir.path, "linked"), { recursive: true });
  symlinkSync(join(dir.path, "here"), join(dir.path, "linked"));
  expect(await scopesOf(dir.path)).toEqual([".", "here"]);
});

test("names with newlines, quotes and spaces are scopes like others", async () => {
  using dir = tempDir();
  const names = ["a\nb", 'quo"te', "sp ace", "-dash", "ünï"];
  for (const name of names) write(dir.path, { [`${name}/x.py`]: "" });
  git(dir.path, "init", "--quiet");
  expect(await scopesOf(dir.path)).toEqual([".", ...names].sort());
});

test("the scan ignores what git ignores, with git and without", async () => {
  const name = fc.constantFrom("a", "b", "gen", "lib");
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
  const rule = fc
    .tuple(fc.constantFrom("", "!", "/", "**/"), path, fc.constantFrom("", "/", "/*", "/x.ts"))
    .map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(
      fc.array(path, { minLength: 1, maxLength: 5 }),
      fc.array(rule, { maxLength: 4 }),
      async (scopes, rules) => {
        using dir = tempDir();
        for (const scope of scopes) write(dir.path, { [`${scope}/x.ts`]: "" });
        write(dir.path, { ".gitignore": `${rules.join("\n")}\n` });
        const walked = await scopesOf(dir.path);
        git(dir.path, "init", "--quiet");
        const listed = git(dir.path, "ls-files", "-z", "--others", "--exclude-standard").split("\0");
        const expected = new Set(["."]);
        for (const file of listed.filter((each) => each.endsWith("x.ts"))) {
          for (let scope = dirname(file); scope !== "."; scope = dirname(scope)) expected.add(scope);
        }
        expect(await scopesOf(dir.path)).toEqual([...expected].sort());
        expect(walked).toEqual([...expected].sort());
      },
    ),
    { numRuns: 30 },
  );
});
