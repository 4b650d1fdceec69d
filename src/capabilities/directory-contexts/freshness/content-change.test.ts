import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { tempDir } from "../../../../tests/support/temp-dir.ts";
import { openContentChanges } from "./content-change.ts";

const git = (root: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", ...args], {
    cwd: root,
    encoding: "utf8",
  });
const SCOPES = [".", "src"];

/** A repository whose two contexts were committed together with what they describe. */
function makeRepository(root: string): void {
  mkdirSync(join(root, "src"), { recursive: true });
  writeFileSync(join(root, "a.ts"), "a\n");
  writeFileSync(join(root, "src/b.ts"), "b\n");
  writeFileSync(join(root, ".gitignore"), "*.log\n");
  for (const scope of SCOPES) writeFileSync(join(root, scope, ".context.yaml"), "fingerprint: 0000aaaa\n");
  git(root, "init", "--quiet", "--initial-branch=main");
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "-m", "first");
}
const contextsOf = (root: string, scopes = SCOPES) =>
  scopes.map((scope) => ({
    scope,
    fingerprint:
      /fingerprint: (\S+)/.exec(readFileSync(join(root, scope, ".context.yaml"), "utf8"))?.[1] ?? "",
  }));
const changed = async (root: string, scopes = SCOPES, find = openContentChanges()) =>
  Object.fromEntries(await find(root, contextsOf(root, scopes), new AbortController().signal));

test("a fresh clone and new times are not a change", async () => {
  using dir = tempDir();
  const [origin, clone] = [join(dir.path, "origin"), join(dir.path, "clone")];
  makeRepository(origin);
  git(dir.path, "clone", "--quiet", origin, clone);
  utimesSync(join(clone, "a.ts"), 1, 1);
  expect(await changed(clone)).toEqual({ ".": false, src: false });
});

test("edits count for their own directory, committed or not", async () => {
  using dir = tempDir();
  makeRepository(dir.path);
  appendFileSync(join(dir.path, "src/b.ts"), "more\n");
  expect(await changed(dir.path)).toEqual({ ".": false, src: true });
  git(dir.path, "commit", "--quiet", "--all", "-m", "second");
  expect(await changed(dir.path)).toEqual({ ".": false, src: true });
});

test("new and removed files are changes; ignored ones are not", async () => {
  using dir = tempDir();
  makeRepository(dir.path);
  writeFileSync(join(dir.path, "noise.log"), "");
  expect(await changed(dir.path)).toEqual({ ".": false, src: false });
  writeFileSync(join(dir.path, "new.ts"), "");
  rmSync(join(dir.path, "src/b.ts"));
  expect(await changed(dir.path)).toEqual({ ".": true, src: true });
});

test("an empty file that is staged or deleted is a change", async () => {
  using dir = tempDir();
  mkdirSync(join(dir.path, "src"));
  writeFileSync(join(dir.path, "src/empty.ts"), "");
  makeRepository(dir.path);
  writeFileSync(join(dir.path, "__init__.py"), "");
  git(dir.path, "add", "__init__.py");
  rmSync(join(dir.path, "src/empty.ts"));
  expect(await changed(dir.path)).toEqual({ ".": true, src: true });
});

test("a branch with the same content is not a change, nor is a return to old content", async () => {
  using dir = tempDir();
  makeRepository(dir.path);
  git(dir.path, "checkout", "--quiet", "-b", "topic");
  writeFileSync(join(dir.path, "a.ts"), "other\n");
  git(dir.path, "commit", "--quiet", "--all", "-m", "other");
  expect(await changed(dir.path)).toEqual({ ".": true, src: false });
  git(dir.path, "checkout", "--quiet", "main");
  expect(await changed(dir.path)).toEqual({ ".": false, src: false });
});

test("a fingerprint that was never committed cannot be judged", async () => {
  using dir = tempDir();
  makeRepository(dir.path);
  writeFileSync(join(dir.path, "src/.context.yaml"), "fingerprint: 0000bbbb\n");
  expect(await changed(dir.path)).toEqual({ ".": false });
});

test("an edit of other fields does not describe the files again", async () => {
  using dir = tempDir();
  makeRepository(dir.path);
  appendFileSync(join(dir.path, "src/b.ts"), "more\n");
  git(dir.path, "commit", "--quiet", "--all", "-m", "drift");
  for (const scope of SCOPES) appendFileSync(join(dir.path, scope, ".context.yaml"), "todos: [x]\n");
  expect(await changed(dir.path)).toEqual({ ".": false, src: true });
  git(dir.path, "commit", "--quiet", "--all", "-m", "by hand");
  expect(await changed(dir.path)).toEqual({ ".": false, src: true });
});

test("a context written in a merge commit is compared with that commit", async () => {
  using dir = tempDir();
  makeRepository(dir.path);
  const edit = (name: string, fingerprint: string) => {
    writeFileSync(join(dir.path, "src", name), `${name}\n`);
    writeFileSync(join(dir.path, "src/.context.yaml"), `fingerprint: ${fingerprint}\n`);
    git(dir.path, "add", "--all");
    git(dir.path, "commit", "--quiet", "-m", name);
  };
  git(dir.path, "checkout", "--quiet", "-b", "topic");
  edit("topic.ts", "0000bbbb");
  git(dir.path, "checkout", "--quiet", "main");
  edit("main.ts", "0000cccc");
  expect(() => git(dir.path, "merge", "--quiet", "topic")).toThrow();
  writeFileSync(join(dir.path, "src/.context.yaml"), "fingerprint: 0000dddd\n");
  git(dir.path, "commit", "--quiet", "--all", "-m", "merge");
  expect(await changed(dir.path)).toEqual({ ".": false, src: false });
  appendFileSync(join(dir.path, "src/topic.ts"), "more\n");
  expect(await changed(dir.path)).toEqual({ ".": false, src: true });
});

test("the first commit of a shallow clone does not count as writing a context", async () => {
  using dir = tempDir();
  const [origin, clone] = [join(dir.path, "origin"), join(dir.path, "clone")];
  makeRepository(origin);
  appendFileSync(join(origin, "a.ts"), "more\n");
  git(origin, "commit", "--quiet", "--all", "-m", "second");
  git(dir.path, "clone", "--quiet", "--depth=1", `file://${origin}`, clone);
  expect(await changed(clone)).toEqual({});
  git(clone, "fetch", "--quiet", "--unshallow");
  expect(await changed(clone)).toEqual({ ".": true, src: false });
});

test("what the history said before is not said of a later commit or of other edits", async () => {
  using dir = tempDir();
  makeRepository(dir.path);
  const find = openContentChanges();
  expect(await changed(dir.path, SCOPES, find)).toEqual({ ".": false, src: false });
  appendFileSync(join(dir.path, "a.ts"), "more\n");
  expect(await changed(dir.path, SCOPES, find)).toEqual({ ".": true, src: false });
  git(dir.path, "commit", "--quiet", "--all", "-m", "second");
  expect(await changed(dir.path, SCOPES, find)).toEqual({ ".": true, src: false });
  git(dir.path, "reset", "--quiet", "--hard", "HEAD~1");
  expect(await changed(dir.path, SCOPES, find)).toEqual({ ".": false, src: false });
});

test("a comparison ends when its call is stopped", async () => {
  using dir = tempDir();
  makeRepository(dir.path);
  const stop = new AbortController();
  const comparing = openContentChanges()(dir.path, contextsOf(dir.path), stop.signal);
  setImmediate(() => stop.abort());
  await expect(comparing).rejects.toThrow("aborted");
});

test("if git is not installed, nothing is said", async () => {
  using dir = tempDir();
  makeRepository(dir.path);
  vi.stubEnv("PATH", "");
  try {
    expect(await changed(dir.path)).toEqual({});
  } finally {
    vi.unstubAllEnvs();
  }
});

test("a project inside a larger repository is compared by its own paths", async () => {
  using dir = tempDir();
  makeRepository(dir.path);
  expect(await changed(join(dir.path, "src"), ["."])).toEqual({ ".": false });
  appendFileSync(join(dir.path, "src/b.ts"), "more\n");
  expect(await changed(join(dir.path, "src"), ["."])).toEqual({ ".": true });
});

test("Windows line ends of a checkout are not a change", async () => {
  using dir = tempDir();
  makeRepository(dir.path);
  writeFileSync(join(dir.path, "a.ts"), "a\r\n");
  expect(await changed(dir.path)).toEqual({ ".": false, src: false });
});

test("a file of Git LFS is compared by its pointer, and no filter of the repository runs", async () => {
  using dir = tempDir();
  const ran = join(dir.path, "ran");
  writeFileSync(join(dir.path, ".gitattributes"), "*.bin filter=lfs diff=lfs merge=lfs -text\n* text=auto\n");
  const sha256 = createHash("sha256").update("large\r\n").digest("hex");
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize 7\n`;
  writeFileSync(join(dir.path, "a.bin"), pointer);
  makeRepository(dir.path);
  for (const kind of ["clean", "smudge", "process"])
    git(dir.path, "config", `filter.lfs.${kind}`, `touch ${ran}`);
  expect(await changed(dir.path)).toEqual({ ".": false, src: false });
  writeFileSync(join(dir.path, "a.bin"), "large\r\n");
  expect(await changed(dir.path)).toEqual({ ".": false, src: false });
  writeFileSync(join(dir.path, "a.bin"), "LARGE\r\n");
  expect(await changed(dir.path)).toEqual({ ".": true, src: false });
  expect(existsSync(ran)).toBe(false);
});

test("outside git, nothing is said", async () => {
  using dir = tempDir();
  writeFileSync(join(dir.path, ".context.yaml"), "");
  expect(await changed(dir.path, ["."])).toEqual({});
});

test("a SHA-256 repository works the same way", async () => {
  using dir = tempDir();
  git(dir.path, "init", "--quiet", "--object-format=sha256");
  writeFileSync(join(dir.path, "a.ts"), "a\n");
  writeFileSync(join(dir.path, ".context.yaml"), "fingerprint: 0000aaaa\n");
  git(dir.path, "add", "--all");
  git(dir.path, "commit", "--quiet", "-m", "first");
  expect(await changed(dir.path, ["."])).toEqual({ ".": false });
});
