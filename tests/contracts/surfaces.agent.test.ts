import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { openApp } from "../../src/app.ts";
import { Config } from "../../src/core/config/config.ts";
import { DomainError } from "../../src/core/errors.ts";
import { defineAgentView, invoke, invokeView, type Tool } from "../../src/core/tool.ts";
import { httpApp } from "../../src/surfaces/http/index.ts";
import { clientNamed, MCP_CLIENTS } from "../../src/surfaces/mcp/client-table.ts";
import { mcpHandler } from "../../src/surfaces/mcp/index.ts";
import { serverInstructions } from "../../src/surfaces/mcp/instructions.ts";
import { findTool, servingFor, toolsOf } from "../../src/surfaces/mcp/profiles.ts";
import { testCall, testMachine } from "../support/machine.ts";
import { echoTool, scratchApp } from "../support/scratch-app.ts";
import { tempDir } from "../support/temp-dir.ts";

const AGENT_TOOLS = [
  "context_pack",
  "code_search",
  "find_references",
  "directory_context",
  "memory_search",
  "memory_add",
  "decision_add",
  "documents_search",
  "documents_get",
];
const app = openApp(testMachine("/nowhere"));

describe("what a client is shown depends on its name", () => {
  test.each([
    { client: "claude-code", profile: "lean", names: "safe" },
    { client: "Visual Studio Code", profile: "lean", names: "safe" },
    { client: "gemini-cli-mcp-client", profile: "lean", names: "contract" },
    { client: "gemini-cli-mcp-client-contextful", profile: "lean", names: "contract" },
    { client: "claude-ai", profile: "all", names: "safe" },
    { client: "my-own-client", profile: "all", names: "contract" },
    { client: undefined, profile: "all", names: "contract" },
  ])("$client: $profile, $names", ({ client, ...expected }) => {
    expect(servingFor({ profile: "auto", names: "auto" }, client)).toEqual(expected);
  });

  test("what the user asked for is kept", () => {
    const asked = { profile: "code-index", names: "contract" } as const;
    expect(servingFor(asked, "claude-code")).toEqual(asked);
  });

  test("every row of the table has a source and names of its own", () => {
    const names = MCP_CLIENTS.flatMap((client) => client.names);
    expect(names.filter((name) => name !== name.toLowerCase())).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    expect(MCP_CLIENTS.filter(({ source }) => !/run with|github\.com\//.test(source))).toEqual([]);
    for (const client of MCP_CLIENTS)
      expect(client.names.map(clientNamed)).toEqual(client.names.map(() => client));
  });
});

describe("names", () => {
  test("the lean list has the agent tools, all has them beside the contracts' tools", () => {
    const listed = (profile: string) =>
      toolsOf({ profile, names: "safe" }, app.tools).map(({ name }) => name);
    expect(listed("lean")).toEqual(AGENT_TOOLS);
    expect(listed("all")).toEqual(expect.arrayContaining([...AGENT_TOOLS, "search_code", "context_search"]));
  });

  test.each(["contract", "safe"] as const)("no name is listed twice with %s names", (names) => {
    const listed = toolsOf({ profile: "all", names }, app.tools).map(({ name }) => name);
    expect(listed.length).toBe(new Set(listed).size);
  });

  test("no name of ours is also a contract's name of another tool", () => {
    const all = app.tools.flatMap(({ name, safeName, agentView }) => [
      ...new Set([name, safeName ?? name, agentView?.name ?? name]),
    ]);
    expect(all.length).toBe(new Set(all).size);
    expect(AGENT_TOOLS.filter((name) => findTool(app.tools, name) === undefined)).toEqual([]);
  });
});

/** A tool with an agent view, which fails if it is told to. */
const viewed: Tool = echoTool("code-index", {
  name: "say_words",
  safeName: "say_words",
  input: z.object({ words: z.string() }),
  run: async ({ words }) => {
    if (words === "gone") {
      throw new DomainError("not_indexed", "Nothing is there.", { next: { tool: "echo.text" } });
    }
    return { said: String(words) };
  },
  agentView: defineAgentView({
    name: "words_say",
    description: "Says words. For tests.",
    form: z.object({ words: z.string().default("hello") }),
    show: ({ said }: { said: string }) => `I say ${said}`,
  }),
});

const ERAS = [
  { era: "initialize", meta: undefined },
  { era: "stateless", meta: "2026-07-28" },
] as const;

/** One request over HTTP, by a client of this name. */
async function ask(
  { client, era }: { readonly client: string; readonly era: (typeof ERAS)[number] },
  method: string,
  params: object = {},
) {
  const handler = mcpHandler(scratchApp([viewed, echoTool()]), { version: "0" });
  const name = typeof params === "object" && "name" in params ? { "Mcp-Name": String(params.name) } : {};
  const modern = {
    "io.modelcontextprotocol/protocolVersion": era.meta,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: client, version: "1" },
  };
  const response = await handler.fetch(
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "User-Agent": `${client}/1.0 (cli)`,
        ...(era.meta && { "MCP-Protocol-Version": era.meta, "Mcp-Method": method, ...name }),
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method,
        params: era.meta ? { ...params, _meta: modern } : params,
      }),
    }),
  );
  const text = await response.text();
  await handler.close();
  const { result, error } = JSON.parse(/\{.*\}/s.exec(text)?.[0] ?? "{}");
  return { result, error };
}

describe.each(ERAS)("over HTTP in the $era era", (era) => {
  const list = async (client: string): Promise<string[]> =>
    (await ask({ client, era }, "tools/list")).result.tools.map(({ name }: { name: string }) => name);
  const call = (name: string, given?: object) =>
    ask({ client: "claude-code", era }, "tools/call", { name, ...(given && { arguments: given }) });

  test("a coding agent gets the lean list, any other client everything", async () => {
    expect([await list("claude-code"), await list("someone")]).toEqual([
      ["more_tools"],
      ["say_words", "words_say", "echo.text"],
    ]);
  });

  test("an agent view answers with text, and a failure with its reason and the next step", async () => {
    expect((await call("words_say")).result).toMatchObject({
      content: [{ type: "text", text: "I say hello" }],
      isError: false,
    });
    expect((await call("words_say", { words: "gone" })).result).toMatchObject({
      content: [{ type: "text", text: "Nothing is there. Run echo_text first." }],
      isError: true,
    });
    expect((await call("words_say", { words: 7 })).result).toMatchObject({
      content: [{ type: "text", text: "words must be a string, not a number" }],
      isError: true,
    });
    expect((await call("say_words", { words: "gone" })).error).toMatchObject({ code: -32003 });
  });

  test("more_tools lists, describes and calls what is not listed", async () => {
    const text = async (given?: object) => (await call("more_tools", given)).result.content[0].text;
    expect(await text()).toContain("- words_say: Says words");
    expect(await text()).toContain("- echo_text: Says back a text");
    expect(await text({ tool: "echo_text" })).toContain('"times":{"default":1');
    expect(await text({ tool: "echo_text", arguments: { text: "ha" } })).toBe('{"said":"ha"}');
    expect(await text({ tool: "say_words", arguments: { words: "gone" } })).toContain("Nothing is there.");
    expect(await text({ tool: "nope" })).toMatch(/^There is no tool nope\./);
  });
});

test("the instructions say what to call first, in at most 150 words, also if memory is large", async () => {
  const names = (many: number) => Array.from({ length: many }, (_, at) => `"a name of ${at}"`).join(", ");
  const state = ['Team memory of "x".', `Knowledge (40): ${names(40)}.`, 'Current task here: "Auth".'];
  const large = { ...app, instructions: async () => state.join("\n") };
  const text = (await serverInstructions(large)) ?? "";
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(150);
  expect(text).toMatch(/^Start of a task: context_pack/);
  expect(text).toContain('Team memory of "x".');
  // A name is never cut in two.
  expect((text.match(/"/g) ?? []).length % 2).toBe(0);
});

test("a call over plain HTTP needs only what it means, and a failure says its reason", async () => {
  using dir = tempDir();
  const root = join(dir.path, "project");
  mkdirSync(root);
  writeFileSync(join(root, "a.go"), "package p\n\n// Retry calls again.\nfunc Retry() {}\n");
  const config = async () => Config.parse({ embedding: { provider: "disabled" } });
  const opened = openApp(testMachine(root, { config }));
  const http = httpApp(opened, { version: "0", host: "127.0.0.1", mcp: async () => new Response() });
  const post = async (path: string, body: object) => {
    const response = await http.request(path, {
      method: "POST",
      headers: { Host: "localhost:7331", "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };
  const found = await post("/tools/code_search", { query: "retry" });
  const failed = await post("/tools/code_search", { query: "retry", path: "gone" });
  await opened.close();
  expect(found).toMatchObject({ status: 200, body: { results: [{ file: { path: "a.go" } }] } });
  expect(failed).toEqual({
    status: 400,
    body: { error: { code: "bad_request", message: "The project has no gone." } },
  });
});

test("directory_context says beside its answer if files have changed since it was written", async () => {
  using dir = tempDir();
  writeFileSync(join(dir.path, "a.go"), "package p\n");
  const opened = openApp(testMachine(dir.path));
  const tool = findTool(opened.tools, "directory_context");
  const rehash = opened.tools.find(({ name }) => name === "directories_rehash");
  if (!tool?.view || !rehash) throw new Error("no such tool");
  const written = { version: 1, scope: ".", summary: "Lamps.", last_updated: "2026-01-02T03:04:05Z" };
  const kept = { fingerprint: "00000000", maintenance: "Keep it short." };
  writeFileSync(join(dir.path, ".context.yaml"), JSON.stringify({ ...written, ...kept }));
  const viewed = { tool: tool.tool, view: tool.view, context: { root: dir.path } };
  const noticed = async () => {
    const notices: string[] = [];
    const call = testCall({ notice: (text) => void notices.push(text) });
    return [(await invokeView(viewed, {}, call)).show(), notices.length];
  };
  const shown = "scope: .\nsummary: Lamps.";
  expect(await noticed()).toEqual([shown, 1]);
  await invoke(rehash, {}, testCall({ caller: "person" }));
  expect(await noticed()).toEqual([shown, 0]);
  writeFileSync(join(dir.path, "b.go"), "package p\n");
  expect(await noticed()).toEqual([shown, 1]);
  await opened.close();
});
