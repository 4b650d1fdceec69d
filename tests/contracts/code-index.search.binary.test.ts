import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ExplainedSearchOutput } from "../../src/capabilities/code-index/schemas.ts";
import { builtBinary } from "../support/dist.ts";
import { startClient } from "../support/stdio-client.ts";
import { tempDir } from "../support/temp-dir.ts";

const FILES = {
  "go.mod": "module example.org/web\n\ngo 1.22\n",
  "http/header.go": `package http

// ParseHTTPHeaderV2 reads the header of a request.
func ParseHTTPHeaderV2(raw string) map[string]string {
	return splitHeader(raw)
}

func splitHeader(raw string) map[string]string {
	panic("Failed to split the header")
}
`,
  "http/header_test.go": `package http

import "testing"

func TestParseHTTPHeaderV2(t *testing.T) {
	ParseHTTPHeaderV2("a: b")
}
`,
  "site/size.go": `package site

// NewSize measures a page in pixels.
func NewSize(width int) int { return width }
`,
  "site/router.go": `package site

// Route sends a request to the page that answers it.
func Route(path string) int { return NewSize(len(path)) }
`,
};

const directory = tempDir();
const root = join(directory.path, "project");
const env = { ...process.env, CONTEXTFUL_HOME: join(directory.path, "home") };
let binary = "";

beforeAll(async () => {
  binary = await builtBinary();
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  run("code", "index");
});
afterAll(() => directory[Symbol.dispose]());

const run = (...args: string[]) =>
  execFileSync(process.execPath, [binary, ...args], { cwd: root, encoding: "utf8", env });
const search = (...args: string[]) =>
  ExplainedSearchOutput.parse(JSON.parse(run("search", ...args, "--json")));
const namesOf = ({ results }: ExplainedSearchOutput) => results.map(({ symbol }) => symbol.name);

test("a name is found in lower case", () => {
  expect(namesOf(search("parsehttpheaderv2"))[0]).toEqual("ParseHTTPHeaderV2");
});

test("a typo of a name offers the nearest names, with low scores", () => {
  const found = search("ParseHTTPHaederV2");
  expect(found.unknown_name).toEqual({ name: "ParseHTTPHaederV2", nearest: ["ParseHTTPHeaderV2"] });
  expect(namesOf(found)[0]).toEqual("ParseHTTPHeaderV2");
  expect(found.results.filter(({ relevance_score: score }) => score > 0.4)).toEqual([]);
});

test("a name that no symbol has is said to be none, in every mode that has words", () => {
  for (const mode of ["hybrid", "keyword"]) {
    const shown = run("search", "NewSite", "--mode", mode);
    expect(shown).toContain("No symbol named NewSite; nearest: NewSize.");
  }
  expect(search("NewSize").unknown_name).toBeUndefined();
});

test("nonsense finds nothing", () => {
  for (const nonsense of ["qwzrtp", "flurbozangle wibbledok", "Zxq9Vbn"]) {
    expect(search(nonsense).results).toEqual([]);
  }
});

test("--explain shows the rank in both lists and every step of each hit", () => {
  const { results } = search("where is a request header read", "--explain");
  for (const { explanation } of results) {
    const { score, steps } = explanation ?? { score: 0, steps: [] };
    const sum = steps.reduce((total, { bonus = 0 }) => total + bonus, 0);
    expect(steps.reduce((product, { factor = 1 }) => product * factor, sum)).toBeCloseTo(score, 2);
  }
  const [first] = results;
  expect(first?.explanation).toMatchObject({ keyword_rank: 1, vector_rank: expect.any(Number) });
  const test = results.find(({ file }) => file.path.endsWith("_test.go"));
  expect(test?.explanation?.steps).toContainEqual({ step: "test", factor: 0.3 });
  expect(run("search", "where is a request header read", "--explain")).toMatch(
    /why: \S+ = .*words \S+ #1 \+ meaning/,
  );
  expect(run("search", "where is a request header read")).not.toContain("why:");
});

test("an exact name says that it is first for its name", () => {
  const [first] = search("NewSize", "--explain").results;
  expect(first?.explanation?.exact_name).toEqual(true);
});

test("lines are found by their text and by an expression, with the symbol they stand in", () => {
  for (const [mode, pattern] of [
    ["literal", "Failed to split"],
    ["regex", "panic\\(.*header"],
  ] as const) {
    const { results, message } = search(pattern, "--mode", mode);
    expect(results.map(({ file, symbol, matches }) => [file.path, symbol.name, matches])).toEqual([
      ["http/header.go", "splitHeader", [{ line: 9, text: '\tpanic("Failed to split the header")' }]],
    ]);
    expect(message).toMatch(/^Found 1 lines/);
  }
});

test("code_search explains if the agent asks for it, search_code never does", async () => {
  await using client = startClient(binary, { cwd: root, env });
  await client.initialize();
  const textOf = async (name: string, input: Record<string, unknown>) =>
    JSON.stringify((await client.callTool(name, input)).result);
  expect(await textOf("code_search", { query: "read header", explain: true })).toContain("why: ");
  expect(await textOf("code_search", { query: "read header" })).not.toContain("why: ");
  expect(await textOf("search_code", { path: root, query: "read header", explain: true })).not.toContain(
    "explanation",
  );
});
