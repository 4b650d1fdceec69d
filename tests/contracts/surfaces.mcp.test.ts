import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { describe, expect, test, vi } from "vitest";
import { DomainError } from "../../src/core/errors.ts";
import { silentLogger } from "../../src/core/logger.ts";
import type { App } from "../../src/core/room-offer.ts";
import type { Tool } from "../../src/core/tool.ts";
import { type McpOptions, mcpHandler, serveStdio } from "../../src/surfaces/mcp/index.ts";
import { echoTool, scratchApp, waitingTool } from "../support/scratch-app.ts";

type Message = Record<string, unknown> & { id?: unknown; result?: Record<string, unknown>; error?: unknown };

/** Fails with the reason it is told. */
const failing = echoTool("code-index", {
  run: async (input) => {
    throw new DomainError("invalid_input", "Why", { reason: String(input["text"]) });
  },
});

/** The server in this process, at the other end of two streams. */
function connect(app: App, options: Partial<McpOptions> = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const ended = serveStdio(() => app, { input, output }, new AbortController().signal, {
    version: "0",
    ...options,
  });
  const heard: Message[] = [];
  const waiting: (() => void)[] = [];
  createInterface({ input: output }).on("line", (line) => {
    heard.push(JSON.parse(line));
    for (const look of waiting.splice(0)) look();
  });
  const until = async (found: () => Message | undefined): Promise<Message> => {
    for (;;) {
      const message = found();
      if (message) return message;
      await new Promise<void>((resolve) => void waiting.push(resolve));
    }
  };
  const say = (message: unknown) => input.write(`${JSON.stringify(message)}\n`);
  let id = 0;
  const ask = (method: string, params?: unknown) => {
    id += 1;
    const own = id;
    say({ jsonrpc: "2.0", id: own, method, params });
    return until(() => heard.find((message) => message.id === own));
  };
  const end = () => {
    input.end();
    return ended;
  };
  return { say, ask, heard, until, end };
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
const CLIENT = { capabilities: {}, clientInfo: { name: "test", version: "1" } };
const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": CLIENT.clientInfo,
};

describe.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"])(
  "revision %s",
  (revision) => {
    const isModern = revision === "2026-07-28";
    const open = async (app: App, options?: Partial<McpOptions>) => {
      const client = connect(app, options);
      if (!isModern) await client.ask("initialize", { protocolVersion: revision, ...CLIENT });
      const ask = (method: string, params: object = {}) =>
        client.ask(method, isModern ? { ...params, _meta: MODERN } : params);
      return { ...client, ask };
    };

    test("the tools are listed and called, by either name", async () => {
      const client = await open(scratchApp([echoTool()]));
      const list = await client.ask("tools/list");
      const calls = [];
      for (const name of ["echo.text", "echo_text"]) {
        calls.push((await client.ask("tools/call", { name, arguments: { text: "ha", times: 2 } })).result);
      }
      await client.end();
      expect(list.result?.["tools"]).toEqual([
        {
          name: "echo.text",
          description: "Says back a text. For tests.",
          inputSchema: {
            type: "object",
            properties: {
              text: { type: "string", description: "What to say" },
              times: { type: "integer", minimum: 1, maximum: 10, default: 1, description: "How often" },
              fail: { type: "string", enum: ["found", "forbidden", "bug"], description: "How to fail" },
            },
            required: ["text"],
          },
          outputSchema: { type: "object", properties: { said: { type: "string" } }, required: ["said"] },
          annotations: { readOnlyHint: true, openWorldHint: false },
        },
      ]);
      expect(calls).toMatchObject(
        [1, 2].map(() => ({
          content: [{ type: "text", text: '{"said":"haha"}' }],
          structuredContent: { said: "haha" },
        })),
      );
    });

    test("the error codes of the code index's contract arrive unchanged", async () => {
      const client = await open(scratchApp([failing]));
      const codes = [];
      for (const text of ["not_a_project", "already_indexing", "not_indexed", "empty_query"]) {
        codes.push((await client.ask("tools/call", { name: "echo.text", arguments: { text } })).error);
      }
      await client.end();
      expect(codes).toMatchObject([-32001, -32002, -32003, -32004].map((code) => ({ code })));
    });

    test("an unknown tool is −32602 and an unknown method −32601", async () => {
      const client = await open(scratchApp([echoTool()]));
      const tool = await client.ask("tools/call", { name: "nope", arguments: {} });
      const method = await client.ask("tools/dance");
      await client.end();
      expect([tool.error, method.error]).toMatchObject([
        { code: -32602, message: "Unknown tool: nope" },
        { code: -32601 },
      ]);
    });
  },
);

test("names without dots are listed with `safe`, and a profile lists only its rooms", async () => {
  const app = scratchApp([echoTool(), echoTool("code-index", { name: "other", safeName: "other" })]);
  const names = async (options: Partial<McpOptions>) => {
    const client = connect(app, options);
    const { result } = await client.ask("tools/list");
    await client.end();
    return [...JSON.stringify(result).matchAll(/"name":"([^"]+)"/g)].map(([, name]) => name);
  };
  expect([
    await names({}),
    await names({ names: "safe" }),
    await names({ profile: "code-index" }),
    await names({ profile: "code-index, documents" }),
    await names({ profile: "lean" }),
  ]).toEqual([
    ["echo.text", "other"],
    ["echo_text", "other"],
    ["other"],
    ["echo.text", "other"],
    ["more_tools"],
  ]);
});

test("tools for people are neither listed nor called", async () => {
  const client = connect(scratchApp([echoTool("documents", { audience: "people" })]));
  const list = await client.ask("tools/list");
  const call = await client.ask("tools/call", { name: "echo.text", arguments: { text: "x" } });
  await client.end();
  expect([list.result, call.error]).toMatchObject([{ tools: [] }, { code: -32602 }]);
});

test("68: a bug's message goes to the log under an id, and only the id to the client", async () => {
  const log: string[] = [];
  const logger = {
    info: () => {},
    warn: () => {},
    error: (message: string, cause?: unknown) => void log.push(`${message} ${cause}`),
  };
  const client = connect(scratchApp([echoTool()], { logger }));
  const { result } = await client.ask("tools/call", {
    name: "echo.text",
    arguments: { text: "x", fail: "bug" },
  });
  await client.end();
  const said = JSON.stringify(result);
  const id = /error id is ([0-9a-f]{8})/.exec(said)?.[1];
  expect({ isError: result?.["isError"], leaks: said.includes("secret"), log }).toEqual({
    isError: true,
    leaks: false,
    log: [`error ${id}: Error: secret path /home/u/x`],
  });
});

test("a tool with text for a model sends only that text", async () => {
  const client = connect(scratchApp([echoTool("packs", { forModel: () => "# Markdown" })]));
  const list = await client.ask("tools/list");
  const { result } = await client.ask("tools/call", { name: "echo.text", arguments: { text: "x" } });
  await client.end();
  expect(JSON.stringify(list.result)).not.toContain("outputSchema");
  expect(result).toEqual({ content: [{ type: "text", text: "# Markdown" }], isError: false });
});

test("only callers that gave a token get progress", async () => {
  const { tool } = waitingTool();
  const client = connect(scratchApp([tool]));
  await client.ask("tools/call", { name: "wait", arguments: { steps: 3 } });
  await client.ask("tools/call", { name: "wait", arguments: { steps: 3 }, _meta: { progressToken: "p" } });
  await client.end();
  const told = client.heard.filter((message) => message["method"] === "notifications/progress");
  expect(told.map(({ params }) => params)).toEqual([
    { progressToken: "p", progress: 1, total: 3, message: "steps" },
    { progressToken: "p", progress: 3, total: 3, message: "steps" },
  ]);
});

test("67: many cancelled calls stop their work, and none of them is answered", async () => {
  const { tool, state, nextStart } = waitingTool();
  const client = connect(scratchApp([tool, echoTool()]));
  const storm = Array.from({ length: 200 }, (_, index) => `storm-${index}`);
  const begun = nextStart();
  for (const id of storm) {
    client.say({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "wait", arguments: {} } });
  }
  await begun;
  for (const id of storm)
    client.say({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
  const { result } = await client.ask("tools/call", { name: "echo.text", arguments: { text: "alive" } });
  await client.end();
  expect({
    stillRunning: state.running - state.cancelled,
    answered: client.heard.filter(({ id }) => typeof id === "string").length,
    after: result?.["structuredContent"],
  }).toEqual({ stillRunning: 0, answered: 0, after: { said: "alive" } });
});

test("65: ids used twice, long ids, unknown notifications and a flood of them leave the server answering", async () => {
  const client = connect(scratchApp([echoTool()]));
  await client.ask("initialize", { protocolVersion: "2025-06-18", ...CLIENT });
  for (let sent = 0; sent < 20_000; sent += 1)
    client.say({ jsonrpc: "2.0", method: "notifications/unknown" });
  const long = "i".repeat(10_000);
  for (const id of ["twice", "twice", long]) client.say({ jsonrpc: "2.0", id, method: "ping" });
  await client.until(() => client.heard.find(({ id }) => id === long));
  await client.end();
  expect(client.heard.filter(({ id }) => id === "twice").length).toBeGreaterThan(0);
});

test("69: a call before the handshake, a second handshake and an unknown revision get the protocol's answers", async () => {
  const client = connect(scratchApp([echoTool()]));
  const early = await client.ask("tools/call", { name: "echo.text", arguments: { text: "early" } });
  const first = await client.ask("initialize", { protocolVersion: "2099-01-01", ...CLIENT });
  const second = await client.ask("initialize", { protocolVersion: "2025-06-18", ...CLIENT });
  await client.end();
  expect([early.result ?? early.error, first.result, second.result ?? second.error]).toMatchObject([
    expect.anything(),
    { protocolVersion: "2025-11-25" },
    expect.anything(),
  ]);
});

test("serving fails if the rooms cannot be opened when a request needs them", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const open = () => {
    throw new DomainError("unavailable", "Gone");
  };
  const ended = serveStdio(open, { input, output }, new AbortController().signal, { version: "0" });
  input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })}\n`);
  await expect(ended).rejects.toThrow("Gone");
});

test("calls in progress end a minute after the client leaves", async () => {
  const { tool, state, nextStart } = waitingTool();
  const client = connect(scratchApp([tool]));
  const begun = nextStart();
  client.say({ jsonrpc: "2.0", id: "w", method: "tools/call", params: { name: "wait", arguments: {} } });
  await begun;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const ended = client.end();
    while (vi.getTimerCount() === 0) await nextTurn();
    await vi.advanceTimersByTimeAsync(59_000);
    expect(state).toEqual({ running: 1, cancelled: 0 });
    await vi.advanceTimersByTimeAsync(1_000);
    await ended;
  } finally {
    vi.useRealTimers();
  }
  await nextTurn();
  expect(state).toEqual({ running: 1, cancelled: 1 });
});

test("resources, prompts and instructions of the rooms are offered", async () => {
  const app: App = {
    ...scratchApp([]),
    instructions: async () => "Ask first.",
    resources: [
      {
        templates: [{ uriTemplate: "context://k/{key}", name: "k", mimeType: "text/markdown" }],
        list: async () => [{ uri: "context://k/a", name: "a", mimeType: "text/markdown" }],
        read: async (uri) => (uri === "context://k/a" ? { mimeType: "text/markdown", text: "A" } : undefined),
      },
    ],
    prompts: [
      {
        name: "greet",
        description: "Greets",
        arguments: [{ name: "who", description: "Whom", required: true }],
        render: async ({ who }) => `Hello ${who}`,
      },
    ],
  };
  const client = connect(app);
  const hello = await client.ask("initialize", { protocolVersion: "2025-11-25", ...CLIENT });
  const answers = [
    await client.ask("resources/list"),
    await client.ask("resources/templates/list"),
    await client.ask("resources/read", { uri: "context://k/a" }),
    await client.ask("prompts/list"),
    await client.ask("prompts/get", { name: "greet", arguments: { who: "Ann" } }),
  ];
  const refused = [
    await client.ask("resources/read", { uri: "context://k/b" }),
    await client.ask("prompts/get", { name: "greet" }),
    await client.ask("prompts/get", { name: "unknown" }),
  ];
  await client.end();
  expect(hello.result).toMatchObject({
    instructions: "Ask first.",
    capabilities: { resources: {}, prompts: {} },
  });
  expect(answers.map(({ result }) => result)).toMatchObject([
    { resources: [{ uri: "context://k/a" }] },
    { resourceTemplates: [{ uriTemplate: "context://k/{key}" }] },
    { contents: [{ uri: "context://k/a", mimeType: "text/markdown", text: "A" }] },
    { prompts: [{ name: "greet", arguments: [{ name: "who", required: true }] }] },
    { messages: [{ role: "user", content: { type: "text", text: "Hello Ann" } }] },
  ]);
  expect(refused.map(({ error }) => error)).toMatchObject([
    { code: -32602 },
    { code: -32602 },
    { code: -32602 },
  ]);
});

test("70: two clients over HTTP with the same ids never get each other's answers", async () => {
  const { ask, close } = overHttp(echoTool());
  const texts = Array.from({ length: 100 }, (_, index) => `client-${index}-`);
  const answers = await Promise.all(texts.map(ask));
  await close();
  expect(answers.map((answer) => /client-\d+-/.exec(answer)?.[0])).toEqual(texts);
});

test("a run in progress is −32002 over HTTP, too", async () => {
  const { ask, close } = overHttp(failing);
  expect(await ask("already_indexing")).toContain('"code":-32002');
  await close();
});

function overHttp(tool: Tool) {
  const handler = mcpHandler(scratchApp([tool]), { version: "0" });
  const ask = async (text: string) => {
    const response = await handler.fetch(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "echo.text", arguments: { text } },
        }),
      }),
    );
    return response.text();
  };
  return { ask, close: () => handler.close() };
}

test("instructions that fail are logged, and the server still answers", async () => {
  const logged: string[] = [];
  const app: App = {
    ...scratchApp([echoTool()], { logger: { ...silentLogger, error: (message) => logged.push(message) } }),
    instructions: async () => {
      throw new Error("broken store");
    },
  };
  const client = connect(app);
  const list = await client.ask("tools/list");
  await client.end();
  expect([list.error, logged]).toEqual([undefined, ["mcp: the instructions could not be written:"]]);
});
