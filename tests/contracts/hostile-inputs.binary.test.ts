import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { builtBinary } from "../support/dist.ts";
import { startClient } from "../support/stdio-client.ts";
import { tempDir } from "../support/temp-dir.ts";

const ToolList = z.object({ tools: z.array(z.object({ name: z.string() })) });

async function startServer() {
  const dir = tempDir();
  const project = join(dir.path, "project");
  mkdirSync(project);
  execFileSync("git", ["init", "-q", project]);
  writeFileSync(join(project, "a.ts"), "export const sumOfPrices = 1;\n");
  const env = { HOME: dir.path, CONTEXTFUL_HOME: join(dir.path, "home") };
  const client = startClient(await builtBinary(), {
    args: ["mcp", "--tools", "all", "--allow-root", project],
    cwd: project,
    env,
  });
  await client.request("initialize", {
    ...{ protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "hostile", version: "0" } },
  });
  const call = async (name: string, given: object) =>
    JSON.stringify(await client.request("tools/call", { name, arguments: given }));
  return {
    project,
    client,
    call,
    /** A call that shows that the server is as it was. */
    expectHealthy: async () =>
      expect(await call("search_code", { path: project, query: "sumOfPrices" })).toContain("a.ts"),
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
}
/** A bug would be answered so. */
const INTERNAL = /-32603|internal_error|Its error id is/;

test("keys such as __proto__ and constructor are unknown fields of every tool and change nothing", async () => {
  await using server = await startServer();
  await server.call("index_codebase", { path: server.project });
  const { result } = await server.client.request("tools/list");
  const { tools } = ToolList.parse(result);
  expect(tools.length).toBeGreaterThan(30);
  const polluted = { polluted: "yes", query: "polluted", path: "/polluted", symbol: "polluted" };
  const keys = {
    ["__proto__"]: polluted,
    constructor: { prototype: polluted },
    ...{ prototype: polluted, toString: "x", hasOwnProperty: 1, valueOf: null },
  };
  const values = { path: server.project, query: "sumOfPrices", symbol: "sumOfPrices", key: "k", task: "x" };
  for (const { name } of tools) {
    for (const given of [keys, { ...values, ...keys }, { ...values, filters: keys, ["__proto__"]: null }]) {
      const answer = await server.call(name, given);
      expect(answer, name).not.toMatch(INTERNAL);
      expect(answer, name).not.toContain("polluted");
    }
  }
  await server.expectHealthy();
});

const PATHS = [
  ...[
    "../../../../etc",
    "/etc/passwd",
    "/dev/zero",
    "/proc/self/environ",
    "a.ts/..",
    "./a.ts/../../..",
    "~root",
  ],
  ...["a.ts\0", "C:\\Windows", "\\\\host\\share", "file:///etc/passwd", "%2e%2e/", "x".repeat(5_000), ""],
  ...["a/".repeat(2_000), "\u202e", "-rf", "--output=x", "$HOME", "`id`", "$(id)"],
];
const GLOBS = [
  ...[
    "**/".repeat(500),
    `${"*a".repeat(500)}b`,
    `{${"a,".repeat(2_000)}b}`,
    "{".repeat(5_000),
    "[",
    "[^",
    "[!-",
    "!(a|b)",
  ],
  ...["\\", "[[:alpha:]]", "{a..z}", "{1..1000000000}", "../**", "/**", "**\0"],
];
const NUMBERS = [0, -1, 4, 1e9, 2 ** 53, -0.5, 1e308, "3", null, [], {}];

test("hostile paths, globs, depths and ranges of navigation are answered or refused", async () => {
  await using server = await startServer();
  await server.call("index_codebase", { path: server.project });
  const symbol = "sumOfPrices";
  const calls: [string, object][] = [
    ...PATHS.flatMap((path): [string, object][] => [
      ...["find_symbol", "find_references", "call_graph"].map((name): [string, object] => [
        name,
        { symbol, path },
      ]),
      ...["outline", "get_status", "search_code"].map((name): [string, object] => [
        name,
        { query: "x", path },
      ]),
      ["find_symbol", { symbol: path }],
    ]),
    ...GLOBS.flatMap((glob): [string, object][] => [
      ["search_code", { path: server.project, query: symbol, filters: { file_pattern: glob } }],
      ["code_search", { query: symbol, path: glob }],
      ["code_search", { query: symbol, path: glob, match: "regex" }],
      ["outline", { path: glob }],
    ]),
    ...NUMBERS.flatMap((number): [string, object][] => [
      ["call_graph", { symbol, depth: number }],
      ["call_graph", { symbol, budget: number }],
      ["outline", { path: ".", budget: number }],
      ["search_code", { path: server.project, query: symbol, limit: number }],
    ]),
  ];
  for (const [name, given] of calls) {
    const answer = await server.call(name, given);
    const shown = `${name} ${JSON.stringify(given).slice(0, 200)}`;
    expect(answer, shown).not.toMatch(INTERNAL);
    expect(answer, shown).not.toMatch(/root:x:0|PATH=/);
  }
  await server.expectHealthy();
});
