import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { openProject, source } from "../../../../tests/support/code-project.ts";
import { testCall } from "../../../../tests/support/machine.ts";
import type { ProgressStep } from "../../../core/progress.ts";
import { loadCodeIndex } from "../code-index.ts";
import type { OnMissing, SearchOutput } from "../schemas.ts";
import { currentIndexFile } from "../store/generations.ts";
import { lockProject, openProgressFile } from "../store/run-lock.ts";

const FILES = { "a.go": source("Alpha"), "b.go": source("Beta"), ".gitignore": "built/\n" };
type Project = ReturnType<typeof openProject>;

/** Waits for a condition that needs other processes or timers; a test that waits in vain ends by its time limit. */
async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await pause(20);
}

const shownBy = ({ results, statistics }: SearchOutput) => ({
  names: results.map(({ symbol }) => symbol.name),
  changed: statistics.files_changed,
});
const find = async (project: Project, name: string) => shownBy(await project.search(name));

/** The names of an answer that claims to be up to date. On a busy machine an earlier one may say that it is behind. */
async function findFresh(project: Project, name: string): Promise<readonly string[]> {
  for (;;) {
    const { names, changed } = await find(project, name);
    if (changed === 0) return names;
  }
}

describe.each([
  ["in a git work tree", true],
  ["without git", false],
])("%s", (_where, hasGit) => {
  test.each([
    ["a process that does not watch", false],
    ["a process that follows the disk", true],
  ])("%s finds edits, new, renamed and deleted files with the next search", async (_how, isServing) => {
    await using project = openProject(FILES);
    if (hasGit) project.git("init", "-q");
    await project.index();
    const stop = new AbortController();
    if (isServing) void project.room.startBackground(stop.signal);
    expect(await findFresh(project, "Alpha")).toEqual(["Alpha"]);
    project.write("a.go", source("Altered"));
    expect(await findFresh(project, "Altered")).toEqual(["Altered"]);
    expect(await findFresh(project, "Alpha")).toEqual([]);
    project.write("new/deep/c.go", source("Gamma"));
    expect(await findFresh(project, "Gamma")).toEqual(["Gamma"]);
    project.write("new/deep/d.go", source("Delta"));
    expect(await findFresh(project, "Delta")).toEqual(["Delta"]);
    renameSync(join(project.root, "new"), join(project.root, "moved"));
    expect(await findFresh(project, "Gamma")).toEqual(["Gamma"]);
    expect((await project.search("Gamma")).results.map(({ file }) => file.path)).toEqual(["moved/deep/c.go"]);
    rmSync(join(project.root, "b.go"));
    expect(await findFresh(project, "Beta")).toEqual([]);
    project.write("built/e.go", source("Epsilon"));
    expect(await findFresh(project, "Epsilon")).toEqual([]);
    if (hasGit) project.git("add", "-f", "built/e.go");
    expect(await findFresh(project, "Epsilon")).toEqual(hasGit ? ["Epsilon"] : []);
    stop.abort();
  });
});

test("a search that cannot update the index counts edits, new and deleted files", async () => {
  await using project = openProject(FILES);
  await project.index();
  const lock = await lockProject(project.data);
  project.write("a.go", source("Altered"));
  project.write("c.go", source("Gamma"));
  rmSync(join(project.root, "b.go"));
  expect(await find(project, "Gamma")).toEqual({ names: [], changed: 3 });
  mkdirSync(join(project.root, "empty"));
  lock.release();
  expect(await findFresh(project, "Gamma")).toEqual(["Gamma"]);
});

test("an update keeps the flags that the index was built with", async () => {
  await using project = openProject({ ...FILES, "a_test.go": source("TestAlpha") });
  await project.index({ include_tests: false });
  project.write("c.go", source("Gamma"));
  expect(await findFresh(project, "Gamma")).toEqual(["Gamma"]);
  expect(await findFresh(project, "TestAlpha")).toEqual([]);
});

test("branch switches and stashes are followed in the background, without a search", async () => {
  await using project = openProject({ "a.go": source("Alpha"), "b.go": source("Beta") });
  const commit = () => {
    project.git("add", "-A");
    project.git("-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "change");
  };
  project.git("init", "-q", "-b", "one");
  commit();
  await project.index();
  const stop = new AbortController();
  void project.room.startBackground(stop.signal);
  await project.search("Alpha");
  const files = async () => (await project.status()).statistics?.total_files;
  project.git("checkout", "-qb", "two");
  for (let at = 0; at < 30; at++) project.write(`many/f${at}.go`, source(`Many${at}`));
  commit();
  await until(async () => (await files()) === 32);
  project.git("checkout", "-q", "one");
  await until(async () => (await files()) === 2);
  expect(await findFresh(project, "Many7")).toEqual([]);
  project.write("c.go", source("Gamma"));
  await until(async () => (await files()) === 3);
  project.git("add", "-A");
  project.git("-c", "user.name=t", "-c", "user.email=t@example.org", "stash", "-q");
  await until(async () => (await files()) === 2);
  stop.abort();
});

test("if only this process changes the files, the index is compared with them after each change it tells of", async () => {
  await using project = openProject(FILES);
  let writes = 0;
  const options = { isServing: () => false, publishClone: undefined, writes: () => writes };
  const room = await loadCodeIndex(project.machine, options);
  const flags = { force: false, includeTests: true, includeVendor: false };
  await room.index(project.root, flags, testCall());
  const find = async (name: string) =>
    (await room.hits(project.root, { query: name, limit: 5, mode: "keyword" }, testCall().signal)).hits.map(
      ({ symbol }) => symbol.name,
    );
  project.write("c.go", source("Gamma"));
  expect(await find("Gamma")).toEqual([]);
  writes++;
  await room.index(project.root, flags, testCall());
  expect(await find("Gamma")).toEqual(["Gamma"]);
  await room.close();
});

describe("a project that is not indexed", () => {
  const open = async (project: Project, isServing: boolean) => {
    const room = await loadCodeIndex(project.machine, {
      isServing: () => isServing,
      publishClone: undefined,
    });
    const query = { query: "Alpha", limit: 5, filters: {}, mode: "keyword" } as const;
    return {
      search: (onMissing: OnMissing, report: (step: ProgressStep) => void = () => {}) => {
        const call = testCall({ progress: { report, note: () => {} } });
        return room.search(project.root, query, call, { onMissing });
      },
      index: () =>
        room.index(project.root, { force: false, includeTests: true, includeVendor: false }, testCall()),
      [Symbol.asyncDispose]: () => room.close(),
    };
  };

  test("is indexed by the first search that asks for an answer", async () => {
    await using project = openProject(FILES);
    await using room = await open(project, false);
    expect(shownBy(await room.search("wait"))).toEqual({ names: ["Alpha"], changed: 0 });
  });

  test("is searched by names and text if indexing takes longer", async () => {
    await using project = openProject(FILES);
    await using room = await open(project, true);
    const lock = await lockProject(project.data);
    expect(await room.search("answer")).toMatchObject({
      results: [{ file: { path: "a.go", start_line: 1 }, content: expect.stringContaining("func Alpha") }],
      degraded: expect.stringContaining("names and text"),
    });
    lock.release();
    await until(() => currentIndexFile(project.data) !== undefined);
    expect(shownBy(await room.search("fail"))).toEqual({ names: ["Alpha"], changed: 0 });
  });

  /** As another process would that is indexing the project. */
  const indexElsewhere = async (project: Project, total: number) => {
    const lock = await lockProject(project.data);
    const file = openProgressFile(project.data, new Date());
    file.write({ done: 1, total, label: "files" });
    return {
      [Symbol.dispose]() {
        file[Symbol.dispose]();
        lock.release();
      },
    };
  };

  test("is waited for if it is small, with the progress of the process that indexes it", async () => {
    await using project = openProject(FILES);
    await using room = await open(project, true);
    const elsewhere = await indexElsewhere(project, 400);
    const steps: ProgressStep[] = [];
    await room.search("answer", (step) => {
      steps.push(step);
      // Longer than a run over many files would be waited for.
      if (steps.length === 20) elsewhere[Symbol.dispose]();
    });
    expect(steps[19]).toEqual({ done: 1, total: 400, label: "files" });
    await until(async () => (await room.search("answer")).degraded === undefined);
  });

  test("is searched by names and text if its progress says that it takes long", async () => {
    await using project = openProject(FILES);
    await using room = await open(project, true);
    using _elsewhere = await indexElsewhere(project, 2_001);
    const { degraded, indexing } = await room.search("answer");
    expect({ degraded, indexing }).toEqual({
      degraded: expect.stringContaining("is being indexed"),
      indexing: true,
    });
  });

  test("is searched by names and text with source before tests", async () => {
    await using project = openProject({ ...FILES, "A_test.go": source("Alpha") });
    await using room = await open(project, true);
    using _elsewhere = await indexElsewhere(project, 2_001);
    const { results } = await room.search("answer");
    expect(results.map(({ file }) => file.path)).toEqual(["a.go", "A_test.go"]);
  });

  test("is searched by the symbols of the files with the words if it is large", async () => {
    const text = "nothing of interest is said here\n".repeat(3_500);
    const notes = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`notes/${at}.txt`, text]));
    await using project = openProject({ ...FILES, ...notes });
    await using room = await open(project, true);
    using _elsewhere = await indexElsewhere(project, 2_001);
    expect(await room.search("answer")).toMatchObject({
      results: [{ symbol: { name: "Alpha", kind: "function" } }],
      degraded: "The project is being indexed. Only one file with words of the question was searched.",
      indexing: true,
    });
  });

  test("is searched by names and text if there is no code", async () => {
    await using project = openProject({ "README.md": "# Alpha\n" });
    await using room = await open(project, true);
    expect((await room.search("answer")).results.map(({ file }) => file.path)).toEqual(["README.md"]);
    expect(currentIndexFile(project.data)).toBeUndefined();
  });

  test("is indexed in the background after the contract's error, and an explicit run joins it", async () => {
    await using project = openProject(FILES);
    await using room = await open(project, true);
    await expect(room.search("fail")).rejects.toMatchObject({ code: "not_indexed" });
    expect((await room.index()).statistics.files_indexed).toBe(2);
  });

  test("is indexed once if a search comes while an explicit run has just begun", async () => {
    await using project = openProject(FILES);
    await using room = await open(project, true);
    const run = room.index();
    const search = room.search("wait");
    expect((await run).statistics.files_indexed).toBe(2);
    expect(shownBy(await search)).toEqual({ names: ["Alpha"], changed: 0 });
  });

  test("is not indexed by a process that only answers one call", async () => {
    await using project = openProject(FILES);
    await using room = await open(project, false);
    await expect(room.search("fail")).rejects.toMatchObject({ code: "not_indexed" });
    expect((await project.status()).indexing).toBeUndefined();
    expect(currentIndexFile(project.data)).toBeUndefined();
  });
});

test("files that Contextful writes are no search results", async () => {
  await using project = openProject({
    "a.go": source("Alpha"),
    ".context.yaml": "summary: about zebras\n",
    "inner/.context.yaml": "summary: about zebras\n",
    ".context-teleport/knowledge/zebras.md": "zebras\n",
    ".context-caches/docs/zebras.md": "zebras\n",
  });
  await project.index();
  expect((await project.search("zebras")).results).toEqual([]);
});
