import { expect, test } from "vitest";
import { openProject, source } from "../../../../tests/support/code-project.ts";
import { madeUp } from "../../../../tests/support/made-up.ts";
import { Config } from "../../../core/config/config.ts";

/** A function with many chunks. */
const longFunction = (name: string, lines: number) =>
  `func ${name}() {\n${Array.from({ length: lines }, (_, at) => `\tprintln("${name}", ${at}, ${name})\n`).join("")}}\n`;

test("a long symbol is one result, and its exact name finds its first lines", async () => {
  await using project = openProject({ "a.go": `package p\n\n${longFunction("Long", 900)}` });
  await project.index();
  const { results, statistics } = await project.search("Long");
  expect(results.map(({ file }) => file.start_line)).toEqual([3]);
  expect(statistics.total_results).toBe(1);
});

test("a test inside a source file stands behind the source, unless tests are asked for", async () => {
  const body = (call: string) => `    let code = exit_code(${call});\n    code\n`;
  await using project = openProject({
    "src/exit.rs": `/// Decides the exit code.\npub fn exit_code(failed: bool) -> i32 {\n    1\n}\n\n#[cfg(test)]\nmod checks {\n    #[test]\n    fn how_the_exit_code_is_decided() {\n${body("true")}    }\n}\n`,
  });
  await project.index();
  const first = async (query: string) => (await project.search(query)).results[0]?.symbol.name;
  expect(await first("how the exit code is decided")).toBe("exit_code");
  expect(await first("tests for how the exit code is decided")).toBe("how_the_exit_code_is_decided");
});

test("a query without words finds nothing, not everything", async () => {
  await using project = openProject({ "a.go": source("Alpha") }, { config: async () => Config.parse({}) });
  await project.index();
  for (const search_mode of ["hybrid", "vector", "keyword"]) {
    const { results, statistics } = await project.search("!!!", { search_mode });
    expect([results.length, statistics.total_results]).toEqual([0, 0]);
  }
});

test.each([
  ["an empty list of kinds", { symbol_types: [] }],
  ["an empty list of packages", { packages: [] }],
  ["an empty list of patterns", { ddd_patterns: [] }],
  ["a directory", { file_pattern: "inner" }],
  ["a directory with a slash", { file_pattern: "inner/" }],
  ["a path that starts with a dot", { file_pattern: "./inner/**" }],
  ["a file", { file_pattern: "inner/a.go" }],
  ["a glob for a directory", { file_pattern: "**/inn*/" }],
  ["the root", { file_pattern: "./" }],
])("%s as a filter lets the file pass", async (_what, filters) => {
  await using project = openProject({ "inner/a.go": source("Alpha") });
  await project.index();
  expect((await project.search("Alpha", { filters })).results).toHaveLength(1);
});

test("the lines after a result keep their indentation", async () => {
  await using project = openProject({
    "a.py": "class A:\n    def first(self):\n        return 1\n\n    def second(self):\n        return 2\n",
  });
  await project.index();
  const { results } = await project.search("A.first");
  expect(results[0]?.context_after).toBe("    def second(self):\n        return 2");
});

test("no part of a private key is shown, wherever chunks cut it", async () => {
  const body = madeUp(3200).match(/.{64}/g) ?? [];
  const key = ["-----BEGIN RSA PRIVATE KEY-----", ...body, "-----END RSA PRIVATE KEY-----"];
  const before = Array.from({ length: 12 }, (_, at) => `word${at} of the notes about zebras`);
  await using project = openProject({
    "a.go": source("Alpha"),
    "notes.txt": [...before, ...key, ...before, ""].join("\n"),
  });
  await project.index();
  const { results } = await project.search(`zebras ${body.at(-1)} ${body[20]}`, { limit: 100 });
  const shown = JSON.stringify(results);
  expect(results.length).toBeGreaterThan(1);
  expect(body.filter((line) => shown.includes(line))).toEqual([]);
});

test.each(["Rack::Builder", "Rack.Builder", "Builder"])("%s is shown from its first lines", async (query) => {
  const method = (name: string) => `    def ${name}\n${`      use Builder\n`.repeat(20)}    end\n\n`;
  const comment = Array.from({ length: 30 }, (_, at) => `    # Option ${at} of the web server\n`).join("");
  const settings = Array.from({ length: 5 }, (_, at) => `    Rack::Builder.setting_${at} = Rack::Builder\n`);
  await using project = openProject({
    "builder.rb": `module Rack\n  class Builder\n${comment}    attr_reader :app\n\n${method("run")}${method("map")}${settings.join("")}  end\nend\n`,
  });
  await project.index();
  const { results } = await project.search(query);
  expect(results[0]?.symbol).toMatchObject({ name: "Builder", kind: "class" });
  expect(results[0]?.file.start_line).toBeLessThan(6);
});
