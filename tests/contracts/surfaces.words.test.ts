import { describe, expect, test } from "vitest";
import { z } from "zod";
import { openApp } from "../../src/app.ts";
import { DomainError } from "../../src/core/errors.ts";
import { commandsOf, defineCommand, defineTool, formOf, invoke, invokeView } from "../../src/core/tool.ts";
import { runCli } from "../../src/surfaces/cli/index.ts";
import { httpApp } from "../../src/surfaces/http/index.ts";
import { mcpHandler } from "../../src/surfaces/mcp/index.ts";
import { testCall, testMachine } from "../support/machine.ts";
import { scratchApp } from "../support/scratch-app.ts";

/** Needs another tool first; the other one is called by `path`. */
const needy = defineTool({
  room: "documents",
  name: "thing.read",
  safeName: "thing_read",
  description: "Reads a thing.",
  effect: "reads",
  command: { words: "read", positional: ["path"] },
  input: z.object({ path: z.string() }),
  output: z.object({}),
  run: async () => {
    throw new DomainError("not_indexed", "The thing is not made.", { next: { tool: "thing.make" } });
  },
  show: () => "",
});
const maker = defineTool({
  room: "documents",
  name: "thing.make",
  safeName: "thing_make",
  description: "Makes a thing.",
  effect: "writes",
  command: { words: "make", positional: ["path"] },
  input: z.object({ path: z.string() }),
  output: z.object({}),
  run: async () => ({}),
  show: () => "",
});

describe("a failure names the next step in the words of the edge", () => {
  const app = scratchApp([needy, maker]);
  const input = { path: "a thing" };

  test.each([
    { names: "contract", said: "The thing is not made. Run thing.make first." },
    { names: "safe", said: "The thing is not made. Run thing_make first." },
  ] as const)("MCP with $names names", async ({ names, said }) => {
    const body = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "thing.read", arguments: input },
    };
    const response = await mcpHandler(app, { version: "0", names }).fetch(
      new Request("http://localhost/mcp", {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
      }),
    );
    expect(await response.text()).toContain(said);
  });

  test("HTTP names the route", async () => {
    const http = httpApp(app, { version: "0", host: "127.0.0.1", mcp: async () => new Response() });
    const response = await http.request("/tools/thing.read", {
      method: "POST",
      body: JSON.stringify(input),
      headers: { Host: "localhost", "Content-Type": "application/json" },
    });
    expect([response.status, await response.json()]).toEqual([
      409,
      {
        error: {
          code: "not_indexed",
          message: "The thing is not made. Call POST /tools/thing.make first.",
        },
      },
    ]);
  });

  test("the command line shows a command that can be pasted, with what was typed", async () => {
    const said: string[] = [];
    let opened = 0;
    const code = await runCli(["documents", "read", "a thing"], {
      version: "0",
      env: {},
      cwd: "/nowhere",
      signal: new AbortController().signal,
      actor: "ann@box",
      out: (text) => void said.push(text),
      err: (text) => void said.push(text),
      terminalWidth: undefined,
      services: {
        open: () => {
          opened += 1;
          return app;
        },
        requireDirectory: () => {},
        serveMcp: async () => {},
        serveHttp: async () => ({ port: 1, close: async () => {} }),
        serveTeam: async () => ({ port: 1, close: async () => {} }),
        startAlone: async () => {},
        toolDefinitions: async () => [],
      },
    });
    expect([code, said.join(""), opened]).toEqual([
      3,
      "error: The thing is not made.\nRun: contextful documents make 'a thing'\n",
      1,
    ]);
  });
});

describe("wrong input is said in our words", () => {
  const tool = defineTool({
    room: "documents",
    name: "check",
    description: "Checks.",
    effect: "reads",
    input: z.object({
      query: z.string().min(1).max(5).default("x"),
      limit: z.int().min(1).max(9).default(1),
      mode: z.enum(["fast", "slow"]).default("fast"),
      tags: z.array(z.string()).min(1).max(2).default(["x"]),
      when: z.union([z.string(), z.number()]).default(1),
      filters: z.strictObject({ kind: z.string().optional() }).default({}),
      path: z.string().default("x"),
      own: z
        .string()
        .refine((text) => text !== "", "own must not be empty")
        .default("x"),
      must: z.string(),
    }),
    output: z.object({}),
    run: async () => ({}),
    show: () => "",
  });

  test.each([
    [{}, "must is required"],
    [{ query: "" }, "query must not be empty"],
    [{ query: "sixsix" }, "query must have at most 5 characters"],
    [{ query: 7 }, "query must be a string, not a number"],
    [{ limit: 0 }, "limit must be at least 1"],
    [{ limit: 10 }, "limit must be at most 9"],
    [{ limit: 1.5 }, "limit must be a whole number"],
    [{ limit: "1" }, "limit must be a number, not a string"],
    [{ mode: "odd" }, "mode must be one of: fast, slow"],
    [{ tags: [] }, "tags must not be empty"],
    [{ tags: ["a", "b", "c"] }, "tags must have at most 2 items"],
    [{ tags: "a" }, "tags must be a list, not a string"],
    [{ tags: ["a", null] }, "tags.1 must be a string, not null"],
    [{ when: true }, "when must be a string or a number"],
    [{ filters: { kinds: 1 } }, "filters has no field kinds"],
    [{ own: "" }, "own must not be empty"],
    [{ query: "", limit: 0 }, "query must not be empty; limit must be at least 1"],
  ])("%j: %s", async (input, message) => {
    const given = message === "must is required" ? input : { must: "x", ...input };
    await expect(invoke(tool, given, testCall())).rejects.toThrow(message);
  });
});

describe("a command is a view of a tool", () => {
  const tool = defineTool({
    room: "documents",
    name: "sum",
    description: "Adds.",
    effect: "reads",
    command: defineCommand({
      words: "sum",
      form: z.object({ a: z.int(), b: z.int().default(2), loud: z.boolean().default(false) }),
      toInput: ({ a, b, loud }) => ({ numbers: [a, b], extra: loud }),
      show: ({ sum }: { sum: number }, { loud }) => `${sum}${loud ? "!" : ""}`,
      next: ({ sum }: { sum: number }) => (sum > 3 ? { tool: "check" } : undefined),
    }),
    input: z.object({ numbers: z.array(z.int()) }),
    viewInput: z.object({ extra: z.boolean().default(false) }),
    output: z.object({ sum: z.int() }),
    viewOutput: z.object({ sum: z.int(), extra: z.boolean() }),
    run: async ({ numbers, extra }) => ({ sum: numbers.reduce((a, b) => a + b, 0), extra: extra ?? "none" }),
    show: ({ sum }) => String(sum),
  });
  const [view] = commandsOf(tool);

  test("its form is checked, mapped to the tool's input, and its text and next step are its own", async () => {
    if (!view) throw new Error("no command");
    const asked = { tool, view, context: { root: "/p" } };
    const person = testCall({ caller: "person" });
    const { output, show, next } = await invokeView(asked, { a: 3, loud: true }, person);
    expect([output, show(), next]).toEqual([{ sum: 5, extra: true }, "5!", { tool: "check" }]);
    await expect(invokeView(asked, { a: "3" }, person)).rejects.toThrow("a must be a number, not a string");
  });

  test("agents can neither send nor get what is for people only", async () => {
    expect(await invoke(tool, { numbers: [1], extra: true }, testCall())).toEqual({ sum: 1 });
  });
});

test("no help of a command names a tool of MCP", () => {
  const { tools } = openApp(testMachine("/nowhere"));
  const names = tools.filter(({ audience }) => audience !== "people").map(({ name }) => name);
  const named = tools.flatMap((tool) =>
    commandsOf(tool).flatMap((command) => {
      const fields = JSON.stringify(
        z.toJSONSchema(formOf(tool, command), { io: "input", unrepresentable: "any" }),
      );
      const help = `${command.description ?? tool.description} ${fields}`;
      return names
        .filter((name) => /[._]/.test(name) && help.includes(name))
        .map((name) => `${command.words}: ${name}`);
    }),
  );
  expect(named).toEqual([]);
});
