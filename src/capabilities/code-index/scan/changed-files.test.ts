import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openProject, source } from "../../../../tests/support/code-project.ts";

/** Later than every file of the test: a file that has just changed is compared by its content in any case. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const FILES = {
  "a.go": source("Alpha"),
  "b.go": source("Beta"),
  "inner/c.go": source("Gamma"),
  "notes.md": "words\n",
};

test("a run that looks at changed files only leaves the index that a full run makes", async () => {
  await using project = openProject(FILES);
  project.git("init", "-q");
  project.git("add", "-A");
  await project.index();
  const steps: Readonly<Record<string, () => void>> = {
    edit: () => project.write("a.go", source("Omega")),
    "edit again": () => project.write("a.go", source("Sigma")),
    add: () => project.write("inner/d.go", source("Delta")),
    "edit and remove": () => {
      project.write("b.go", source("Beth"));
      rmSync(join(project.root, "inner/c.go"));
    },
    ignore: () => project.write(".gitignore", "d.go\n"),
    "undo the first edit": () => project.write("a.go", FILES["a.go"]),
    "stop ignoring": () => rmSync(join(project.root, ".gitignore")),
    "a binary file": () => project.write("e.go", "package e\0"),
    "remove what was added": () => rmSync(join(project.root, "inner/d.go")),
    commit: () => project.git("add", "-A"),
    "nothing at all": () => {},
  };
  for (const [step, change] of Object.entries(steps)) {
    change();
    await project.index();
    const { statistics: after } = await project.index();
    const updated = await project.search("does it", { limit: 50 });
    const { statistics: built } = await project.index({ force_reindex: true });
    const rebuilt = await project.search("does it", { limit: 50 });
    expect(updated.results.length).toBeGreaterThan(1);
    expect([step, placesOf(updated)]).toEqual([step, placesOf(rebuilt)]);
    expect([step, after.files_skipped]).toEqual([step, built.files_indexed + built.files_failed]);
  }
});

test("files that git reports as equal to its index are not looked at", async () => {
  await using project = openProject(FILES);
  project.git("init", "-q");
  project.git("add", "-A");
  await project.index();
  // Git trusts the flag, so only a run that compares every file would see this edit.
  project.git("update-index", "--assume-unchanged", "b.go");
  await project.index();
  project.write("b.go", source("Hidden"));
  project.write("a.go", source("Omega"));
  expect((await project.index()).statistics).toMatchObject({ files_indexed: 1, files_skipped: 2 });
});

const placesOf = ({ results }: { results: { file: { path: string }; content: string }[] }) =>
  results.map(({ file, content }) => `${file.path}: ${content}`).sort();
