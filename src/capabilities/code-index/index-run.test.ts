import { chmodSync, existsSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openProject, source } from "../../../tests/support/code-project.ts";
import { buildFile, discardUnsyncedBuild } from "./store/generations.ts";
import { lockProject } from "./store/run-lock.ts";

const DAY = new Date("2026-01-01");

describe("the last source file", () => {
  const files = { "a_test.go": source("Alpha"), "README.md": "words\n" };

  test.each([
    ["is removed", (root: string) => rmSync(join(root, "a_test.go")), {}],
    ["is a test file and tests are excluded", () => {}, { include_tests: false }],
  ])("leaves the index when it %s", async (_how, change, flags) => {
    await using project = openProject(files);
    await project.index();
    change(project.root);
    expect((await project.index(flags)).statistics.files_removed).toBe(1);
    expect((await project.search("Alpha")).results).toEqual([]);
  });

  test("may be a test file that was never indexed", async () => {
    await using project = openProject(files);
    expect((await project.index({ include_tests: false })).statistics.files_indexed).toBe(0);
  });
});

test("an edit that keeps size and time is noticed", async () => {
  await using project = openProject({ "a.go": source("Alpha") });
  const file = join(project.root, "a.go");
  utimesSync(file, DAY, DAY);
  await project.index();
  await project.index();
  project.write("a.go", source("Omega"));
  utimesSync(file, DAY, DAY);
  const lock = await lockProject(project.data);
  expect((await project.search("Alpha")).results[0]?.fresh).toBe(false);
  lock.release();
  expect((await project.index()).statistics.files_indexed).toBe(1);
  expect((await project.search("Omega")).results[0]?.symbol.name).toBe("Omega");
});

test.each([
  ["renamed", { "go.mod": "module example.org/new\n" }, "example.org/new/inner"],
  ["added below", { "inner/go.mod": "module example.org/own\n" }, "example.org/own"],
])(
  "a go.mod that is %s moves its files to another package, and results are not fresh until the next run",
  async (_how, files, moved) => {
    await using project = openProject({
      "go.mod": "module example.org/old\n",
      "inner/a.go": source("Alpha"),
    });
    const inPackage = async (name: string) =>
      (await project.search("Alpha", { filters: { packages: [name] } })).results.map(({ fresh }) => fresh);
    await project.index();
    expect(await inPackage("example.org/old/inner")).toEqual([undefined]);
    for (const [path, text] of Object.entries(files)) project.write(path, text);
    const lock = await lockProject(project.data);
    expect(await inPackage("example.org/old/inner")).toEqual([false]);
    lock.release();
    expect((await project.index()).statistics).toMatchObject({ files_indexed: 1, files_skipped: 0 });
    expect(await inPackage("example.org/old/inner")).toEqual([]);
    expect(await inPackage(moved)).toEqual([undefined]);
    for (const path of Object.keys(files)) rmSync(join(project.root, path));
    await project.index();
    expect(await inPackage(moved)).toEqual([]);
    expect((await project.index()).statistics).toMatchObject({ files_indexed: 0, files_skipped: 1 });
  },
);

/** Root may read every file. */
test.skipIf(process.getuid?.() === 0)(
  "a file that cannot be read is reported by every run until it can",
  async () => {
    await using project = openProject({ "a.go": source("Alpha"), "shut.go": source("Shut") });
    const file = join(project.root, "shut.go");
    utimesSync(file, DAY, DAY);
    project.git("init", "-q");
    project.git("add", "-A");
    chmodSync(file, 0o000);
    const refused = [{ file: "shut.go", error: "the file cannot be read (EACCES)" }];
    expect((await project.index()).errors).toEqual(refused);
    expect((await project.index()).errors).toEqual(refused);
    chmodSync(file, 0o644);
    expect((await project.index()).errors).toEqual([]);
    expect((await project.search("Shut")).results[0]?.symbol.name).toBe("Shut");
  },
);

test("repositories inside a project are reported, not silently skipped", async () => {
  await using project = openProject({ "a.go": source("Alpha"), "inner/b.go": source("Beta") });
  project.git("init", "-q");
  project.git("init", "-q", "inner");
  project.git("init", "-q", "linked");
  const commit = ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"];
  project.git("-C", "linked", ...commit);
  const head = project.git("-C", "linked", "rev-parse", "HEAD").toString().trim();
  project.git("update-index", "--add", "--cacheinfo", `160000,${head},linked`);
  const error = "a repository of its own: index it by its own path";
  const { errors, statistics } = await project.index();
  expect(errors).toEqual([
    { file: "inner", error },
    { file: "linked", error },
  ]);
  expect(statistics).toMatchObject({ files_indexed: 1, files_failed: 0 });
});

test("a run without changes keeps the time of the last run with changes, and removes a killed build", async () => {
  const times = ["2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"];
  await using project = openProject({ "a.go": source("Alpha") }, { now: () => new Date(times[0] ?? "") });
  await project.index();
  times.shift();
  const build = buildFile(project.data);
  for (const part of [build, `${build}-wal`]) writeFileSync(part, "half");
  utimesSync(join(project.root, "a.go"), DAY, DAY);
  await project.index();
  expect((await project.status()).statistics?.last_indexed_at).toBe("2026-01-01T00:00:00.000Z");
  expect([build, `${build}-wal`].filter((part) => existsSync(part))).toEqual([]);
  project.write("b.go", source("Beta"));
  await project.index();
  expect((await project.status()).statistics?.last_indexed_at).toBe("2026-02-01T00:00:00.000Z");
});

test("a build from before the start of this machine is not continued", async () => {
  await using project = openProject({ "a.go": source("Alpha") });
  await project.index();
  const file = buildFile(project.data);
  writeFileSync(file, "written, but never synced");
  utimesSync(file, new Date(0), new Date(0));
  discardUnsyncedBuild(project.data);
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, "written just now");
  discardUnsyncedBuild(project.data);
  expect(existsSync(file)).toBe(true);
});
