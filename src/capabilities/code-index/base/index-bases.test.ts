import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openProject, source } from "../../../../tests/support/code-project.ts";
import type { Logger } from "../../../core/logger.ts";
import { currentIndexFile } from "../store/generations.ts";

const NAMES = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon"];
const FILES = Object.fromEntries(NAMES.map((name) => [`pkg/${name.toLowerCase()}.go`, source(name)]));

/** A repository with one commit that is indexed, and what the room logs. */
async function openRepository(files: Readonly<Record<string, string>> = FILES) {
  const logged: string[] = [];
  const log = (message: string) => void logged.push(message);
  const logger: Logger = { info: log, warn: log, error: log };
  const project = openProject({ "go.mod": "module example.org/shop\n", ...files }, { logger });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ana", "-c", "user.email=ana@example.org", ...args], {
      cwd: project.root,
      encoding: "utf8",
    });
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-q", "-m", "one");
  await project.index();
  const beside = (name: string) => join(project.root, "..", name);
  const indexAt = async (path: string, input: Record<string, unknown> = {}) => {
    const output = await project.index({ path, ...input });
    return [output.statistics.files_indexed, output.statistics.files_skipped];
  };
  return { project, git, beside, indexAt, logged };
}

test("a second work tree starts from the first one's index, and only its changed file is indexed", async () => {
  const { project, git, beside, indexAt, logged } = await openRepository();
  await using _room = project;
  git("worktree", "add", "-q", "-b", "next", beside("second"));
  writeFileSync(join(beside("second"), "pkg/beta.go"), source("Omega"));
  expect(await indexAt(beside("second"))).toEqual([1, 4]);
  expect(logged).toEqual(["starts from the index of another copy of this repository, 0 changed files away"]);
  const search = async (path: string, query: string) =>
    (await project.search(query, { path })).results.map(({ symbol }) => symbol.name);
  // The file is still called beta.go.
  expect(await search(beside("second"), "Beta")).toEqual(["Omega"]);
  expect(await search(project.root, "Beta")).toEqual(["Beta"]);
});

test("the first search of a second work tree waits for its index, unless much differs", async () => {
  const text = "nothing of interest is said here\n".repeat(3_500);
  const notes = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`notes/${at}.txt`, text]));
  const { project, git, beside } = await openRepository({ ...FILES, ...notes });
  await using _room = project;
  const searched = async (path: string) => (await project.command("search", { query: "Beta", path })).output;
  git("worktree", "add", "-q", "-b", "next", beside("second"));
  expect(await searched(beside("second"))).not.toHaveProperty("index_first");
  for (let file = 0; file <= 200; file++) project.write(`more/${file}.txt`, `${file}\n`);
  git("add", ".");
  git("commit", "-q", "-m", "many");
  git("worktree", "add", "-q", "-b", "far", beside("third"));
  expect(await searched(beside("third"))).toHaveProperty("index_first");
});

test("answers are the same as from an index of its own", async () => {
  const { project, git, beside, indexAt } = await openRepository();
  await using _room = project;
  git("worktree", "add", "-q", "-b", "next", beside("second"));
  await indexAt(beside("second"));
  const answers = async () =>
    Promise.all(
      [...NAMES, "does it"].map(
        async (query) => (await project.search(query, { path: beside("second") })).results,
      ),
    );
  const started = await answers();
  expect(await indexAt(beside("second"), { force_reindex: true })).toEqual([5, 0]);
  expect(started).toEqual(await answers());
});

test("what was edited but not committed in the first does not reach the second", async () => {
  const { project, git, beside, indexAt } = await openRepository();
  await using _room = project;
  project.write("pkg/beta.go", source("Omega"));
  project.write("pkg/draft.go", source("Draft"));
  await project.index();
  git("worktree", "add", "-q", "-b", "next", beside("second"));
  expect(await indexAt(beside("second"))).toEqual([1, 4]);
  for (const query of ["Omega", "Draft"])
    expect((await project.search(query, { path: beside("second") })).results).toEqual([]);
});

test("of several indexes the one with the fewest changed files is taken", async () => {
  const { project, git, beside, indexAt, logged } = await openRepository();
  await using _room = project;
  git("worktree", "add", "-q", "-b", "far", beside("far"));
  for (const name of NAMES)
    writeFileSync(join(beside("far"), "pkg", `${name.toLowerCase()}.go`), source(`Far${name}`));
  execFileSync("git", ["-c", "user.name=Ana", "-c", "user.email=a@example.org", "commit", "-qam", "far"], {
    cwd: beside("far"),
  });
  await indexAt(beside("far"));
  git("worktree", "add", "-q", "-b", "near", beside("near"));
  expect(await indexAt(beside("near"))).toEqual([0, 5]);
  expect(logged.at(-1)).toContain("0 changed files away");
});

test("a clone that lacks the other's commits starts from it all the same", async () => {
  const { project, git, beside, indexAt, logged } = await openRepository();
  await using _room = project;
  git("clone", "-q", project.root, beside("clone"));
  project.write("pkg/beta.go", source("Omega"));
  git("commit", "-qam", "two");
  await project.index();
  expect(await indexAt(beside("clone"))).toEqual([1, 4]);
  expect(logged.at(-1)).toContain("at a commit that is not here");
});

test("another repository, and a directory of the same one, start from nothing", async () => {
  const { project, beside, indexAt, logged } = await openRepository();
  await using _room = project;
  execFileSync("git", ["init", "-q", beside("other")]);
  writeFileSync(join(beside("other"), "a.go"), source("Alpha"));
  const options = { cwd: beside("other") };
  execFileSync("git", ["add", "."], options);
  execFileSync(
    "git",
    ["-c", "user.name=Ana", "-c", "user.email=a@example.org", "commit", "-qm", "x"],
    options,
  );
  expect(await indexAt(beside("other"))).toEqual([1, 0]);
  expect(await indexAt(join(project.root, "pkg"))).toEqual([5, 0]);
  expect(logged).toEqual([]);
});

test("a damaged index is not taken, and everything is indexed", async () => {
  const { project, git, beside, indexAt } = await openRepository();
  await using _room = project;
  const file = currentIndexFile(project.data) ?? "";
  await project.room.close();
  writeFileSync(file, Buffer.alloc(readFileSync(file).length, 1));
  for (const part of ["-wal", "-shm"]) rmSync(`${file}${part}`, { force: true });
  git("worktree", "add", "-q", "-b", "next", beside("second"));
  expect(await indexAt(beside("second"))).toEqual([5, 0]);
  const leftOver = readdirSync(join(project.data.directory, ".."), { recursive: true, encoding: "utf8" });
  expect(leftOver.filter((name) => name.includes("code-start"))).toEqual([]);
});
