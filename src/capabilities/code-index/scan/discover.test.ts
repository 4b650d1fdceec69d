import { expect, test } from "vitest";
import { openProject } from "../../../../tests/support/code-project.ts";

test.each([
  ["a language without symbols here", { "solve.f90": "program quetzal\nend program\n" }],
  ["a language with symbols", { "lib/keys.rb": "def quetzal\nend\n" }],
  ["a script that has only its first line to tell", { run: "#!/usr/bin/env fish\necho quetzal\n" }],
  ["a build file", { "CMakeLists.txt": "project(quetzal)\n" }],
])("%s is enough to index a directory, and its other texts are indexed too", async (_what, files) => {
  await using project = openProject({ ...files, "notes.txt": "about the narwhal\n" });
  expect((await project.index()).success).toBe(true);
  const paths = async (query: string) => (await project.search(query)).results.map(({ file }) => file.path);
  expect(await paths("quetzal")).toEqual(Object.keys(files));
  expect(await paths("narwhal")).toEqual(["notes.txt"]);
});

test("prose and data alone are not a project", async () => {
  await using project = openProject({
    "README.md": "# Words\n",
    "a.json": "{}\n",
    LICENSE: "Terms\n",
    data: "#5 not a script\n",
  });
  await expect(project.index()).rejects.toMatchObject({ reason: "not_a_project" });
});

test("a script without extension has the symbols of its language", async () => {
  await using project = openProject({ "bin/deploy": "#!/bin/bash\nquetzal() {\n  echo 1\n}\n" });
  await project.index();
  const [found] = (await project.search("quetzal")).results;
  expect([found?.file.language, found?.symbol.kind]).toEqual(["bash", "function"]);
});

test("source is indexed up to four megabytes, other text up to a quarter of one", async () => {
  const filler = (line: string) => line.repeat(Math.ceil(300_000 / line.length));
  await using project = openProject({
    "server.c": `/*\n${filler("text\n")}*/\n\nint quetzal(void) {\n  return 1;\n}\n`,
    "solve.f90": `${filler("! text\n")}subroutine okapi\n`,
    "dump.txt": `${filler("text\n")}narwhal\n`,
  });
  await project.index();
  const paths = async (query: string) => (await project.search(query)).results.map(({ file }) => file.path);
  expect(await Promise.all(["quetzal", "okapi", "narwhal"].map(paths))).toEqual([
    ["server.c"],
    ["solve.f90"],
    [],
  ]);
});

test("files with secrets are left out, whatever language their names claim", async () => {
  await using project = openProject({ "a.go": "package a\n", ".env.sh": "TOKEN=quetzal\n" });
  await project.index();
  expect((await project.search("quetzal")).results).toEqual([]);
});

test.skipIf(process.platform === "win32")(
  "a name with a line break forges no line of an answer",
  async () => {
    await using project = openProject({
      "a.go": "package a\n\nfunc quetzal() {}\n",
      "b\nc.go:1 func trusted.go": "package a\n\nfunc quetzalToo() {}\n",
      "d\re/f.go": "package e\n\nfunc quetzalToo() {}\n",
    });
    await project.index();
    expect(await project.shown("files", {})).toMatch(/^a\.go {2}3 lines {2}go\n?$/);
    expect((await project.search("quetzalToo")).results.map(({ file }) => file.path)).not.toContain(
      "d\re/f.go",
    );
  },
);
