import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { tempDir } from "../../../tests/support/temp-dir.ts";
import { byCodeUnit } from "../order.ts";
import { decodeText, readText } from "./read-text.ts";
import { scanProject } from "./scan.ts";
import { walk } from "./walk.ts";

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...args], { cwd }).toString();

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
const pathsOf = async (root: string) => (await scanProject(root)).map(({ path }) => path);

test("in a repository: tracked and untracked files with any name, and only files that exist", async () => {
  using dir = tempDir();
  const root = join(dir.path, "repo");
  write(dir.path, { "outside/secret.txt": "s", "outside/kept/b.txt": "s" });
  write(root, {
    ".gitignore": "*.log\nbuild/\n",
    "a\nb.txt": "1",
    "-dash": "1",
    "ü.txt": "1",
    "tracked.log": "1",
    "untracked.log": "1",
    "build/x": "1",
    "deleted.txt": "1",
    "moved/b.txt": "1",
    "nested/inner.txt": "1",
  });
  git(root, "init", "-q");
  git(join(root, "nested"), "init", "-q");
  write(dir.path, { "sub/file": "1" });
  git(join(dir.path, "sub"), "init", "-q");
  git(join(dir.path, "sub"), "add", ".");
  git(join(dir.path, "sub"), "commit", "-q", "-m", "s");
  git(
    root,
    "-c",
    "protocol.file.allow=always",
    "submodule",
    "--quiet",
    "add",
    join(dir.path, "sub"),
    "module",
  );
  git(root, "add", "-f", "tracked.log", "deleted.txt", "moved");
  git(root, "commit", "-q", "-m", "first");
  rmSync(join(root, "deleted.txt"));
  rmSync(join(root, "moved"), { recursive: true });
  symlinkSync(join(dir.path, "outside", "kept"), join(root, "moved"));
  symlinkSync(join(dir.path, "outside", "secret.txt"), join(root, "link"));
  symlinkSync("loop", join(root, "loop"));
  execFileSync("mkfifo", [join(root, "fifo")]);
  expect(await pathsOf(root)).toEqual([
    "-dash",
    ".gitignore",
    ".gitmodules",
    "a\nb.txt",
    "tracked.log",
    "ü.txt",
  ]);
});

test("outside a repository: the walk follows no links and survives loops, FIFOs and unreadable directories", async () => {
  using dir = tempDir();
  write(dir.path, {
    "a/b.txt": "1",
    "node_modules/x/y.js": "1",
    ".git/config": "",
    "a/.gitignore": "c\n",
    "a/c": "1",
  });
  symlinkSync("..", join(dir.path, "a", "up"));
  symlinkSync("/etc", join(dir.path, "etc"));
  execFileSync("mkfifo", [join(dir.path, "fifo")]);
  rmSync(join(dir.path, ".git"), { recursive: true });
  expect(await pathsOf(dir.path)).toEqual(["a/.gitignore", "a/b.txt"]);
});

test("a project that its surrounding repository ignores is scanned on its own", async () => {
  using dir = tempDir();
  write(dir.path, { ".gitignore": "scratch/\n", "scratch/project/a.txt": "1" });
  git(dir.path, "init", "-q");
  expect(await pathsOf(join(dir.path, "scratch", "project"))).toEqual(["a.txt"]);
});

test("files in the user's global gitignore are ignored", async () => {
  using dir = tempDir();
  write(dir.path, { gitconfig: `[core]\n\texcludesFile = ${dir.path}/everywhere\n`, everywhere: ".notes\n" });
  write(dir.path, { "project/a.txt": "1", "project/.notes": "mine", "project/b/.notes/c": "mine" });
  git(join(dir.path, "project"), "init", "-q");
  const before = process.env["GIT_CONFIG_GLOBAL"];
  process.env["GIT_CONFIG_GLOBAL"] = join(dir.path, "gitconfig");
  try {
    expect(await pathsOf(join(dir.path, "project"))).toEqual(["a.txt"]);
  } finally {
    process.env["GIT_CONFIG_GLOBAL"] = before;
  }
});

test("a cancelled scan stops", async () => {
  using dir = tempDir();
  await expect(scanProject(dir.path, AbortSignal.abort())).rejects.toThrow(/abort/i);
});

const segment = fc.constantFrom("a", "b", "ab", "a.b", "b ", "A", "é", "#a", "!b");
const pattern = fc
  .array(
    fc.constantFrom(
      "a",
      "b",
      "*",
      "?",
      "/",
      "**",
      "[ab]",
      "[!a]",
      "[a",
      "[b-a]",
      "\\/",
      ".",
      " ",
      "\\",
      "\\a",
      "é",
      "#",
      "!",
    ),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((parts) => parts.join(""));
const line = fc
  .tuple(fc.constantFrom("", "", "!", "/"), pattern, fc.constantFrom("", "", "/", " "))
  .map((parts) => parts.join(""));
const tree = fc.record({
  paths: fc.uniqueArray(
    fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/")),
    { minLength: 4, maxLength: 12 },
  ),
  ignores: fc.dictionary(
    fc.constantFrom(".gitignore", "a/.gitignore", "ab/a/.gitignore"),
    fc.array(line, { maxLength: 4 }).map((lines) => lines.join("\n")),
  ),
});

/** Surprising patterns that git accepts. */
const ODDITIES = ["a/\n!/a**", "/[b-a]", "a/\n!/**\\/a", "a/\n!***/a"].map(
  (text): [{ paths: string[]; ignores: Record<string, string> }] => [
    { paths: ["ab/a/b", "b/ab/a/b"], ignores: { ".gitignore": text } },
  ],
);

test("scan ignores what git ignores, and the plain walk agrees", async () => {
  using dir = tempDir();
  let round = 0;
  await fc.assert(
    fc.asyncProperty(tree, async ({ paths, ignores }) => {
      const root = join(dir.path, String(round++));
      mkdirSync(root);
      for (const path of [...paths, ...Object.keys(ignores)]) {
        try {
          write(root, { [path]: ignores[path] ?? "" });
        } catch {
          // A name may be a file although another path needs a directory there.
        }
      }
      const walked = (await walk(root)).sort(byCodeUnit);
      git(root, "init", "-q");
      const listed = git(root, "ls-files", "-z", "--others", "--exclude-standard")
        .split("\0")
        .filter(Boolean);
      expect(await pathsOf(root)).toEqual(listed.sort(byCodeUnit));
      expect(walked).toEqual(listed);
    }),
    { numRuns: 60, examples: ODDITIES },
  );
});

test("a file without text is skipped with its reason", () => {
  using dir = tempDir();
  const file = (name: string) => join(dir.path, name);
  write(dir.path, { "plain.txt": "héllo", "nul.ts": "a\0b", "big.txt": "x".repeat(100) });
  writeFileSync(file("latin1.txt"), Buffer.from([0x63, 0xe9]));
  writeFileSync(file("bom.txt"), Buffer.from([0xef, 0xbb, 0xbf, 0x61]));
  writeFileSync(file("utf16.txt"), Buffer.from("\ufeffhé", "utf16le"));
  symlinkSync("plain.txt", file("link"));
  execFileSync("mkfifo", [file("fifo")]);
  const names = [
    "plain.txt",
    "nul.ts",
    "big.txt",
    "latin1.txt",
    "bom.txt",
    "utf16.txt",
    "link",
    "fifo",
    ".",
    "none",
  ];
  expect(names.map((name) => readText(file(name), { maxBytes: 50 }))).toEqual([
    { text: "héllo" },
    { skipped: "binary" },
    { skipped: "too large" },
    { skipped: "not utf-8" },
    { text: "a" },
    { text: "hé" },
    { skipped: "not a file" },
    { skipped: "not a file" },
    { skipped: "not a file" },
    { skipped: "missing" },
  ]);
  expect(decodeText(Buffer.from([0xfe, 0xff, 0, 0x61]))).toEqual({ text: "a" });
});
