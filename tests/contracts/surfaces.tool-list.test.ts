import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { openApp } from "../../src/app.ts";
import { loadTokenizer } from "../../src/core/tokens/tokenizer.ts";
import { toolDefinitions } from "../../src/surfaces/mcp/index.ts";
import { builtBinary } from "../support/dist.ts";
import { testMachine } from "../support/machine.ts";

const app = openApp(testMachine("/nowhere"));

test.each([
  { profile: "all", most: 8700 },
  { profile: "lean", most: 2000 },
])("the definitions of $profile take less than $most tokens", async ({ profile, most }) => {
  const count = await loadTokenizer();
  expect(count(JSON.stringify(toolDefinitions(app, profile)))).toBeLessThan(most);
});

test("lean has at most ten tools, the ones an agent needs most", () => {
  const names = toolDefinitions(app, "lean").map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(["code_search", "directory_context", "documents_search", "memory_search"]),
  );
  expect(names.length).toBeLessThanOrEqual(10);
});

test("clients accept every name, each name is listed once, and safe names have no dots", () => {
  const tools = app.tools.filter((tool) => tool.audience !== "people");
  const names = tools.map(({ name }) => name);
  const safe = tools.map((tool) => tool.safeName ?? tool.name);
  expect(names.filter((name) => !/^[A-Za-z0-9_.-]{1,64}$/.test(name))).toEqual([]);
  expect(safe.filter((name) => !/^[A-Za-z0-9_-]{1,50}$/.test(name))).toEqual([]);
  expect([new Set(names).size, new Set(safe).size, new Set([...names, ...safe]).size]).toEqual([
    names.length,
    safe.length,
    names.length + safe.filter((name) => !names.includes(name)).length,
  ]);
});

test("with safe names every definition mentions other tools by their listed names", () => {
  const dotted = app.tools
    .filter(({ audience }) => audience !== "people")
    .filter(({ name }) => name.includes("."));
  const spoken = (names: "contract" | "safe") => {
    const text = JSON.stringify(toolDefinitions(app, "all", names));
    return dotted.filter(({ name }) => text.includes(name)).length;
  };
  expect([spoken("contract"), spoken("safe")]).toEqual([dotted.length, 0]);
});

test("two listings are the same, byte for byte", () => {
  const list = () => JSON.stringify(toolDefinitions(openApp(testMachine("/nowhere")), "all"));
  expect(list()).toBe(list());
});

test("the built program lists the current definitions, even if the pipe closes after the request", async () => {
  const hello = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "0" },
  };
  const ask = (id: number, method: string, params: unknown) =>
    `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
  const { stdout } = spawnSync(process.execPath, [await builtBinary(), "mcp", "--root", "."], {
    input: ask(1, "initialize", hello) + ask(2, "tools/list", {}),
    encoding: "utf8",
  });
  const answers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(answers.find(({ id }) => id === 2)?.result.tools).toEqual(
    JSON.parse(JSON.stringify(toolDefinitions(app, "all"))),
  );
});
