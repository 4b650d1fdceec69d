import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openProject, source } from "../../../tests/support/code-project.ts";
import { testCall } from "../../../tests/support/machine.ts";
import { loadTokenizer } from "../../core/tokens/tokenizer.ts";
import { invokeView } from "../../core/tool.ts";
import { changedSince } from "./show.ts";

type Project = ReturnType<typeof openProject>;

/** `code_search` as an agent calls it. */
async function codeSearch({ room, root }: Project, form: Readonly<Record<string, unknown>>): Promise<string> {
  const tool = room.tools.find(({ agentView }) => agentView?.name === "code_search");
  if (!tool?.agentView) throw new Error("no code_search");
  const answer = await invokeView({ tool, view: tool.agentView, context: { root } }, form, testCall());
  return answer.show();
}

test("a query is enough, also in a project that is not indexed", async () => {
  await using project = openProject({ "a.go": source("Alpha"), "b.go": source("Beta") });
  // The index may be ready or not; there is an answer in both cases.
  expect(await codeSearch(project, { query: "Alpha" })).toMatch(/^a\.go:\d+-\d+ .*func Alpha\(\) \{\}/s);
  await project.index();
  expect((await codeSearch(project, { query: "Alpha" })).split("\n\n")[0]).toBe(
    "a.go:3-4 function Alpha\n// Alpha does it.\nfunc Alpha() {}",
  );
});

test("lines are matched as grep does if the agent asks for it", async () => {
  await using project = openProject({ "a.go": source("Alpha"), "b.go": source("Beta") });
  expect((await codeSearch(project, { query: "does it.", match: "literal" })).split("\n\n")).toEqual([
    "a.go:3-4 function Alpha\n3: // Alpha does it.",
    "b.go:3-4 function Beta\n3: // Beta does it.",
  ]);
});

describe("path narrows the search to a part of the project", () => {
  test.each([
    { path: "inner", found: ["inner/a.go"] },
    { path: "./inner/", found: ["inner/a.go"] },
    { path: "inner/a.go", found: ["inner/a.go"] },
    { path: "[id]", found: ["[id]/a.go"] },
    { path: "**/a.go", found: ["[id]/a.go", "a.go", "inner/a.go"] },
    { path: ".", found: ["[id]/a.go", "a.go", "inner/a.go"] },
  ])("$path", async ({ path, found }) => {
    const files = ["a.go", "inner/a.go", "[id]/a.go"].map((file) => [file, source("Alpha")]);
    await using project = openProject(Object.fromEntries(files));
    await project.index();
    const shown = await codeSearch(project, { query: "Alpha", path });
    expect([...shown.matchAll(/^(\S+):\d+-\d+ /gm)].map(([, file]) => file).sort()).toEqual(found);
  });

  test("an absolute path inside the project is a part of it, another directory is another project", async () => {
    await using project = openProject({ "inner/a.go": source("Alpha"), "b.go": source("Alpha") });
    await project.index();
    expect(await codeSearch(project, { query: "Alpha", path: join(project.root, "inner") })).toContain(
      "inner/a.go:3-4",
    );
    await using other = openProject({ "c.go": source("Alpha") });
    await project.index({ path: other.root });
    expect(await codeSearch(project, { query: "Alpha", path: other.root })).toContain("c.go:3-4");
  });

  test("a path that is not there is named in the reason", async () => {
    await using project = openProject({ "a.go": source("Alpha") });
    await expect(codeSearch(project, { query: "Alpha", path: "gone" })).rejects.toThrow(
      "The project has no gone.",
    );
    mkdirSync(join(project.root, "empty"));
    await project.index();
    expect(await codeSearch(project, { query: "Alpha", path: "empty" })).toMatch(/^Found 0 results/);
  });
});

describe("an answer is short", () => {
  const body = Array.from({ length: 60 }, (_, at) => (at === 50 ? "\tzebra(1)" : `\tstep(${at})`));
  const long = ["package p", "", 'import "fmt"', "", "// Long does much.", "func Long() {", ...body, "}", ""];

  test("imports are left out, the comment comes once, and the lines that are not shown are named", async () => {
    await using project = openProject({ "a.go": long.join("\n") });
    await project.index();
    const shown = await codeSearch(project, { query: "zebra" });
    expect(shown).not.toContain("import");
    expect(shown.match(/Long does much/g)).toHaveLength(1);
    expect(shown).toContain("\tzebra(1)");
    const [, from, to] = /^more: a\.go:(\d+)-(\d+)$/m.exec(shown) ?? [];
    const hidden = long.slice(Number(from) - 1, Number(to));
    expect(hidden.filter((line) => shown.split("\n").includes(line))).toEqual([]);
    expect(long[Number(to)]).toSatisfy((line: string) => shown.includes(line));
  });

  test("context_lines asks for more", async () => {
    await using project = openProject({ "a.go": long.join("\n") });
    await project.index();
    const shown = await codeSearch(project, { query: "zebra", context_lines: 400 });
    expect(body.filter((line) => !shown.includes(line))).toEqual([]);
    expect(shown).not.toContain("more:");
  });

  test("a hit takes at most 250 tokens, whatever its source", async () => {
    const count = await loadTokenizer();
    const wide = `package p\n\n// Wide does it.\nfunc Wide() {\n${'\tx := "äöü€ßΩ漢字"\n'.repeat(400)}}\n`;
    await using project = openProject({
      "a.go": long.join("\n"),
      "b.go": wide,
      "c.go": source("Wide").replace("{}", `{ return "${"wide ".repeat(900)}" }`),
    });
    await project.index();
    const hits = (await codeSearch(project, { query: "zebra Wide Long" })).split(/\n\n(?=\S+:\d+-\d+ )/);
    expect(hits.length).toBeGreaterThan(2);
    for (const hit of hits) expect(count(hit), hit).toBeLessThanOrEqual(250);
  });
});

test("an answer says how many files it is behind, and nothing if it is not", () => {
  expect([0, 1, 2].map(changedSince)).toEqual([
    [],
    ["1 file has changed since it was indexed."],
    ["2 files have changed since they were indexed."],
  ]);
});
