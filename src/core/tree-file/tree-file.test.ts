import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../tests/support/temp-dir.ts";
import { scanProject } from "../scan/scan.ts";
import { extractTree } from "./extract-tree.ts";
import { openTreeFile, treeRows, updateTreeFile } from "./tree-file.ts";

const SIGNAL = new AbortController().signal;

function makeTree(files: Readonly<Record<string, string | Uint8Array>>) {
  const place = tempDir();
  const root = join(place.path, "tree");
  mkdirSync(root);
  const git = (at: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ana", "-c", "user.email=ana@example.org", ...args], {
      cwd: root,
      env: { ...process.env, GIT_COMMITTER_DATE: at, GIT_AUTHOR_DATE: at },
    });
  const commit = (changed: Readonly<Record<string, string | Uint8Array | undefined>>, at: string) => {
    for (const [path, text] of Object.entries(changed)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      if (text === undefined) rmSync(join(root, path));
      else writeFileSync(join(root, path), text);
    }
    git(at, "add", "-A", "-f");
    git(at, "commit", "-q", "-m", "files");
  };
  git("2026-01-01T00:00:00Z", "init", "-q", "-b", "main");
  commit(files, "2026-01-01T00:00:00Z");
  const file = join(place.path, "tree.sqlite");
  return {
    root,
    file,
    commit,
    path: (name: string) => join(place.path, name),
    async update() {
      using store = await openTreeFile(file, { readOnly: false });
      await updateTreeFile(store, root, SIGNAL);
    },
    [Symbol.dispose]: () => place[Symbol.dispose](),
  };
}

test("the text files of a commit are written again with the time of the commit that brought each", async () => {
  using tree = makeTree({
    "a.md": "one\n",
    "src/b.ts": "two\n",
    "src/empty.ts": "",
    "picture.png": Uint8Array.of(1, 0, 2),
  });
  await tree.update();
  const first = await extractTree(tree.file, tree.path("first"));
  tree.commit({ "a.md": "changed\n", "c.md": "new\n", "src/b.ts": undefined }, "2026-02-02T00:00:00Z");
  await tree.update();
  const second = await extractTree(tree.file, tree.path("second"), { before: first });
  expect([...first.blobs.keys()]).toEqual(["a.md", "src/b.ts", "src/empty.ts"]);
  expect(readFileSync(join(first.directory, "src/empty.ts"), "utf8")).toBe("");
  expect([...second.blobs.keys()]).toEqual(["a.md", "c.md", "src/empty.ts"]);
  expect(readFileSync(join(first.directory, "a.md"), "utf8")).toBe("one\n");
  expect(readFileSync(join(second.directory, "a.md"), "utf8")).toBe("changed\n");
  const time = (file: string) => statSync(file).mtime.toISOString().slice(0, 10);
  expect([time(join(first.directory, "src/b.ts")), time(join(second.directory, "c.md"))]).toEqual([
    "2026-01-01",
    "2026-02-02",
  ]);
  // The work tree has the same times.
  expect(time(join(tree.root, "c.md"))).toBe("2026-02-02");
});

test("an unchanged file is one file on disk for both commits", async () => {
  using tree = makeTree({ "a.md": "one\n", "b.md": "two\n" });
  await tree.update();
  const first = await extractTree(tree.file, tree.path("first"));
  tree.commit({ "a.md": "changed\n" }, "2026-02-02T00:00:00Z");
  await tree.update();
  await extractTree(tree.file, tree.path("second"), { before: first });
  const inode = (path: string) => statSync(tree.path(path)).ino;
  expect(inode("first/b.md")).toBe(inode("second/b.md"));
  expect(inode("first/a.md")).not.toBe(inode("second/a.md"));
});

test("links, files of git and paths that leave the directory are not written, whoever made the file", async () => {
  using tree = makeTree({ "a.md": "one\n", ".context-teleport/.local/journal.json": "{}" });
  symlinkSync("/etc/passwd", join(tree.root, "link.md"));
  tree.commit({}, "2026-02-02T00:00:00Z");
  await tree.update();
  using store = await openTreeFile(tree.file, { readOnly: false });
  expect(treeRows(store).map(({ path }) => path)).toEqual(["a.md"]);
  const put = store.prepare("INSERT INTO files (path, blob, time, bytes) VALUES (?, 'b', 0, ?)");
  const hostile = [
    "../escape",
    "/etc/escape",
    "a/../../escape",
    ".git/config",
    "sub/.GIT/hooks/x",
    "a\\..\\b",
    "",
  ];
  for (const path of hostile) put.run(path, Buffer.from("x"));
  store.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const { blobs } = await extractTree(tree.file, tree.path("out"));
  expect([...blobs.keys()]).toEqual(["a.md"]);
  expect(existsSync(tree.path("escape"))).toBe(false);
});

test("the extracted directory ends the search for a repository", async () => {
  using tree = makeTree({ "a.md": "one\n" });
  await tree.update();
  // The directory is inside another repository.
  const { directory } = await extractTree(tree.file, join(tree.root, "inside"));
  expect((await scanProject(directory)).map(({ path }) => path)).toEqual(["a.md"]);
});
