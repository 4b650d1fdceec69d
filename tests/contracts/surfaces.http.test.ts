import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { silentLogger } from "../../src/core/logger.ts";
import { type HttpOptions, httpApp, listen } from "../../src/surfaces/http/index.ts";
import { mcpHandler } from "../../src/surfaces/mcp/index.ts";
import { boundedQueue } from "../../src/surfaces/queue.ts";
import { echoTool, scratchApp, waitingTool } from "../support/scratch-app.ts";

const app = scratchApp([
  echoTool("documents", { route: { method: "POST", path: "/tools/echo" } }),
  echoTool("code-index", { name: "plain", safeName: "plain" }),
  echoTool("documents", { name: "people_only", audience: "people" }),
  {
    ...echoTool("documents", {
      name: "sources",
      input: z.object({}),
      route: { method: "GET", path: "/tools/sources" },
    }),
    run: async () => ({ said: "all" }),
  },
]);
const serving = (options: Partial<HttpOptions> = {}) =>
  httpApp(app, {
    version: "1.2.3",
    host: "127.0.0.1",
    mcp: mcpHandler(app, { version: "1.2.3" }).fetch,
    ...options,
  });
const HOST = { Host: "localhost:7331" };
const JSON_TYPE = { "Content-Type": "application/json" };
const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => ({
  method: "POST",
  body,
  headers: { ...HOST, ...JSON_TYPE, ...headers },
});
const seen = async (
  path: string,
  init: RequestInit = { headers: HOST },
  options: Partial<HttpOptions> = {},
) => {
  const response = await serving(options).request(path, init);
  const text = await response.text();
  return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
};
const refused = (status: number, code: string) => ({
  status,
  body: { error: { code, message: expect.any(String) } },
});

describe("the tools", () => {
  test.each([
    { path: "/tools/echo", body: '{"text":"hi"}', expected: { status: 200, body: { said: "hi" } } },
    { path: "/tools/echo.text", body: '{"text":"hi"}', expected: { status: 200, body: { said: "hi" } } },
    { path: "/tools/echo_text", body: '{"text":"hi"}', expected: { status: 200, body: { said: "hi" } } },
    { path: "/tools/plain", body: '{"text":"hi"}', expected: { status: 200, body: { said: "hi" } } },
    { path: "/tools/echo", body: "{}", expected: refused(400, "bad_request") },
    { path: "/tools/echo", body: '{"text":7}', expected: refused(400, "bad_request") },
    { path: "/tools/echo", body: "not json", expected: refused(400, "bad_request") },
    { path: "/tools/echo", body: "", expected: refused(400, "bad_request") },
    { path: "/tools/echo", body: "[]", expected: refused(400, "bad_request") },
    {
      path: "/tools/echo",
      body: new Uint8Array([0x22, 0xc3, 0x28, 0x22]),
      expected: refused(400, "bad_request"),
    },
    { path: "/tools/echo", body: '{"text":"x","fail":"found"}', expected: refused(404, "not_found") },
    { path: "/tools/echo", body: '{"text":"x","fail":"forbidden"}', expected: refused(400, "bad_request") },
    { path: "/tools/echo", body: '{"text":"x","fail":"bug"}', expected: refused(500, "internal") },
    { path: "/tools/people_only", body: '{"text":"x"}', expected: refused(404, "not_found") },
    { path: "/tools/unknown", body: "{}", expected: refused(404, "not_found") },
    { path: "/unknown", body: "{}", expected: refused(404, "not_found") },
    { path: "/tools/sources", body: "{}", expected: { status: 200, body: { said: "all" } } },
  ])("POST $path with $body", async ({ path, body, expected }) => {
    expect(await seen(path, post(body))).toEqual(expected);
  });

  test("a GET route answers without a body, and no other tool answers a GET", async () => {
    expect([await seen("/tools/sources"), await seen("/tools/echo")]).toEqual([
      { status: 200, body: { said: "all" } },
      refused(405, "bad_request"),
    ]);
  });

  test("a field the tool does not have is ignored, and a header says so", async () => {
    const response = await serving().request("/tools/echo", post('{"text":"hi","txet":1,"ü\\n":2}'));
    expect(await response.json()).toEqual({ said: "hi" });
    expect(response.headers.get("Contextful-Notice")).toBe(
      "Ignored, because this tool has no such field: txet (did you mean text?).",
    );
  });

  test("a bug's message stays in the log", async () => {
    const { body } = await seen("/tools/echo", post('{"text":"x","fail":"bug"}'));
    expect(JSON.stringify(body)).not.toContain("secret");
  });

  test("a caller that leaves before the answer is not an error", async () => {
    const logged: string[] = [];
    const leaving = new AbortController();
    const left = scratchApp(
      [
        echoTool("documents", {
          run: async (_input, { signal }) => {
            leaving.abort();
            signal.throwIfAborted();
          },
        }),
      ],
      { logger: { ...silentLogger, error: (message) => logged.push(message) } },
    );
    const served = httpApp(left, { version: "0", host: "127.0.0.1", mcp: async () => new Response() });
    await served.request("/tools/echo.text", { ...post('{"text":"hi"}'), signal: leaving.signal });
    expect(logged).toEqual([]);
  });

  test("a call beyond the queue gets 503 with Retry-After, and health still answers", async () => {
    const { tool, nextStart } = waitingTool();
    const leaving = new AbortController();
    const options = { version: "0", host: "127.0.0.1", mcp: async () => new Response() };
    const queue = boundedQueue({ running: 1, waiting: 0 });
    const full = httpApp(scratchApp([tool]), { ...options, queue });
    const started = nextStart();
    const first = full.request("/tools/wait", { ...post("{}"), signal: leaving.signal });
    await started;
    const second = await full.request("/tools/wait", post("{}"));
    const health = await full.request("/healthz", { headers: HOST });
    leaving.abort();
    await first;
    expect([second.status, second.headers.get("retry-after"), await second.json(), health.status]).toEqual([
      503,
      "1",
      { error: { code: "busy", message: "Too many calls at once. Wait for some answers, then call again." } },
      200,
    ]);
  });

  test("health and the OpenAPI document, made from the tools", async () => {
    const document = await seen("/openapi.json");
    expect(await seen("/healthz")).toEqual({ status: 200, body: { status: "ok", version: "1.2.3" } });
    expect(document.body).toMatchObject({ openapi: "3.1.0", info: { version: "1.2.3" } });
    expect(Object.keys(document.body.paths)).toEqual(["/tools/echo", "/tools/plain", "/tools/sources"]);
  });

  test("GET /tools lists the tools with their routes, and /health answers as /healthz", async () => {
    expect((await seen("/tools")).body.tools).toEqual([
      expect.objectContaining({ name: "echo.text", method: "POST", path: "/tools/echo" }),
      expect.objectContaining({ name: "plain", method: "POST", path: "/tools/plain" }),
      expect.objectContaining({ name: "sources", method: "GET", path: "/tools/sources" }),
    ]);
    expect(await seen("/health")).toEqual(await seen("/healthz"));
    expect((await seen("/docs")).body.error.message).toMatch(/GET \/tools .* GET \/openapi\.json/);
  });

  test("MCP answers under /mcp", async () => {
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "plain", arguments: { text: "hi" } },
    };
    const response = await serving().request(
      "/mcp",
      post(JSON.stringify(call), { Accept: "application/json, text/event-stream" }),
    );
    expect(await response.text()).toContain('{\\"said\\":\\"hi\\"}');
  });
});

describe("requests from strangers", () => {
  test.each([
    "http://evil.example",
    "null",
    "http://localhost.evil.example",
    "http://127.0.0.1.nip.io",
    "https://localhost@evil.example",
    "http://evil.example@localhost",
    "file://",
    "",
  ])("71: a page of another origin is refused: %s", async (Origin) => {
    expect([
      await seen("/healthz", { headers: { ...HOST, Origin } }),
      await seen("/mcp", post("{}", { Origin })),
    ]).toEqual([refused(403, "bad_request"), refused(403, "bad_request")]);
  });

  test.each(["evil.example", "localhost.evil.example:7331", "127.0.0.1.nip.io", "10.0.0.1", ""])(
    "72: a name that was rebound to this machine is refused: %s",
    async (Host) => {
      expect(await seen("/healthz", { headers: { Host } })).toEqual(refused(403, "bad_request"));
    },
  );

  test.each(["localhost", "localhost:7331", "127.0.0.1:7331", "127.1.2.3", "[::1]:7331"])(
    "this machine's own names are served: %s",
    async (Host) => {
      expect(await seen("/healthz", { headers: { Host, Origin: "http://localhost:3000" } })).toMatchObject({
        status: 200,
      });
    },
  );

  test("73: without the right token nothing is served", async () => {
    const token = "correct horse battery staple";
    const statuses = [];
    for (const Authorization of [
      undefined,
      "Bearer wrong",
      `Basic ${token}`,
      `Bearer ${token}x`,
      `Bearer ${token}`,
    ]) {
      const headers = { ...HOST, ...(Authorization === undefined ? {} : { Authorization }) };
      statuses.push((await seen("/healthz", { headers }, { token })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 200]);
  });

  test.each([
    { type: "text/plain", status: 415 },
    { type: "application/x-www-form-urlencoded", status: 415 },
    { type: "multipart/form-data; boundary=x", status: 415 },
    { type: "application/jsonx", status: 415 },
    { type: "application/json; charset=utf-8", status: 200 },
  ])("74: a type that a web form can send is not accepted as a call: $type", async ({ type, status }) => {
    expect((await seen("/tools/echo", post('{"text":"x"}', { "Content-Type": type }))).status).toBe(status);
  });

  test("74: a call without a content type is a bad request", async () => {
    const body = new Uint8Array(Buffer.from('{"text":"x"}'));
    expect(await seen("/tools/echo", { method: "POST", body, headers: HOST })).toEqual(
      refused(400, "bad_request"),
    );
  });

  test("75: a preflight request gets no permission", async () => {
    const response = await serving().request("/tools/echo", {
      method: "OPTIONS",
      headers: { ...HOST, Origin: "http://localhost:3000", "Access-Control-Request-Method": "POST" },
    });
    const promised = [...response.headers.keys()].filter((name) => name.startsWith("access-control"));
    expect([response.status, promised]).toEqual([405, []]);
  });

  test("76: a body over four megabytes is not read", async () => {
    const body = JSON.stringify({ text: "x".repeat(4 * 1024 * 1024) });
    expect([await seen("/tools/echo", post(body)), (await seen("/mcp", post(body))).status]).toEqual([
      refused(413, "bad_request"),
      413,
    ]);
  });

  test("77: headers that name another method than the body are refused", async () => {
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/list",
      params: {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    };
    const headers = {
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "tools/call",
    };
    expect(await seen("/mcp", post(JSON.stringify(call), headers))).toMatchObject({
      status: 400,
      body: { error: { code: -32020 } },
    });
  });

  test.each(["/mcp/..", "/static/%2e%2e/package.json", "/tools/..%2fhealthz", "/mcp/x"])(
    "78: a path that climbs out finds nothing: %s",
    async (path) => {
      expect(await seen(path)).toEqual(refused(404, "not_found"));
    },
  );

  test("79: a wider bind is refused without a token; with a token it serves under any name", async () => {
    expect(() => serving({ host: "0.0.0.0" })).toThrow(/without a token/);
    const options = { host: "0.0.0.0", token: "a token of some length" };
    const headers = { Host: "box.lan:7331", Authorization: `Bearer ${options.token}` };
    expect([
      (await seen("/healthz", { headers }, options)).status,
      (await seen("/healthz", { headers: { ...headers, Origin: "http://evil.example" } }, options)).status,
      (await seen("/healthz", { headers: { ...headers, Origin: "http://box.lan:7331" } }, options)).status,
    ]).toEqual([200, 403, 200]);
  });
});

describe("on a real socket", () => {
  const send = (port: number, bytes: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
      let said = "";
      socket.on("data", (chunk) => {
        said += chunk;
      });
      socket.on("close", () => resolve(said));
      socket.on("error", (error) => (said === "" ? reject(error) : resolve(said)));
    });

  test("every method of every route is answered, with a chunked body, a short body or none", async () => {
    const listening = await listen(serving(), { host: "127.0.0.1", port: 0 });
    const status = async (method: string, path: string, headers: string, body: string) => {
      const request = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n${body}`;
      return (await send(listening.port, request)).split(" ")[1];
    };
    const json = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
    const chunked = `${json}Transfer-Encoding: chunked\r\n`;
    const call = '{"text":"hi"}';
    const chunks = [...call].map((letter) => `1\r\n${letter}\r\n`).join("");
    const seenStatuses = new Set<string | undefined>();
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      for (const path of ["/tools/echo", "/tools/sources", "/mcp", "/healthz", "/openapi.json", "/nope"]) {
        seenStatuses.add(await status(method, path, "", ""));
        seenStatuses.add(await status(method, path, chunked, `${chunks}0\r\n\r\n`));
      }
    }
    const whole = await status("POST", "/tools/echo", `${json}Content-Length: ${call.length}\r\n`, call);
    const inChunks = await status("POST", "/tools/echo", chunked, `${chunks}0\r\n\r\n`);
    const large = `${(5_000_000).toString(16)}\r\n${"x".repeat(5_000_000)}\r\n0\r\n\r\n`;
    const tooLarge = await status("POST", "/tools/echo", chunked, large);
    await listening.close();
    expect([whole, inChunks, tooLarge, seenStatuses.has("500")]).toEqual(["200", "200", "413", false]);
  });

  test("76: headers of 64 KB get 431, and the message about a port in use says so", async () => {
    const listening = await listen(serving(), { host: "127.0.0.1", port: 0 });
    const { port } = listening;
    const answer = await send(
      port,
      `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(65_536)}\r\n\r\n`,
    );
    const alive = await fetch(`http://127.0.0.1:${port}/healthz`);
    const second = await listen(serving(), { host: "127.0.0.1", port }).catch(
      (error: Error) => error.message,
    );
    await alive.text();
    await listening.close();
    expect([answer.split("\r\n")[0], alive.status, second]).toEqual([
      "HTTP/1.1 431 Request Header Fields Too Large",
      200,
      `Port ${port} on 127.0.0.1 is in use, perhaps by another contextful. Stop it, or choose another with --port.`,
    ]);
  });

  test.each([
    { what: "no HTTP at all", request: "NONSENSE\r\n\r\n", status: 400 },
    { what: "no host", request: "GET /healthz HTTP/1.1\r\n\r\n", status: 400 },
    { what: "a host that is none", request: "GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n", status: 400 },
    { what: "an address that is none", request: "GET * HTTP/1.1\r\nHost: localhost\r\n\r\n", status: 400 },
    { what: "a header without a name", request: "GET / HTTP/1.1\r\n: x\r\n\r\n", status: 400 },
    {
      what: "a broken chunk",
      request: "POST /tools/echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      status: 400,
    },
    { what: "endless headers", request: `GET / HTTP/1.1\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, status: 431 },
  ])("$what is refused with the error object", async ({ request, status }) => {
    const listening = await listen(serving(), { host: "127.0.0.1", port: 0 });
    const [head = "", body = ""] = (await send(listening.port, request)).split("\r\n\r\n");
    await listening.close();
    const type = /^content-type: (.+)$/im.exec(head)?.[1];
    expect([Number(head.split(" ")[1]), type, JSON.parse(body)]).toEqual([
      status,
      "application/json",
      { error: { code: "bad_request", message: expect.any(String) } },
    ]);
  });

  test("few pipelined requests of a connection run at once, and none begins after it has closed", async () => {
    const { tool, state, nextStart } = waitingTool();
    const listening = await listen(
      httpApp(scratchApp([tool]), { version: "0", host: "127.0.0.1", mcp: async () => new Response() }),
      { host: "127.0.0.1", port: 0 },
    );
    // Each answer needs several turns of the event loop: pipelined requests would have begun by then.
    const otherClient = async () => {
      for (let round = 0; round < 5; round += 1)
        await (await fetch(`http://127.0.0.1:${listening.port}/healthz`)).text();
    };
    const started = nextStart();
    const request =
      "POST /tools/wait HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
    const socket = connect(listening.port, "127.0.0.1", () => socket.write(request.repeat(500)));
    await started;
    await otherClient();
    const whileOpen = state.running;
    socket.destroy();
    await otherClient();
    await listening.close();
    expect([whileOpen, state.running]).toEqual([4, 4]);
  });

  test("every pipelined request of a connection is answered, in order", async () => {
    const listening = await listen(serving(), { host: "127.0.0.1", port: 0 });
    const request = (number: number, close = "") => {
      const body = JSON.stringify({ text: `n${number}` });
      return `POST /tools/echo HTTP/1.1\r\nHost: localhost\r\n${close}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    };
    const all = Array.from({ length: 600 }, (_, number) => request(number));
    const said = await send(listening.port, `${all.join("")}${request(600, "Connection: close\r\n")}`);
    await listening.close();
    expect([...said.matchAll(/"said":"n(\d+)"/g)].map((match) => Number(match[1]))).toEqual(
      Array.from({ length: 601 }, (_, number) => number),
    );
  });

  test("the server decides about the connection, also under /mcp, and says how long it keeps it", async () => {
    const listening = await listen(serving(), { host: "127.0.0.1", port: 0 });
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const ask = (close: string) =>
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${close}Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const said = await send(listening.port, `${ask("")}${ask("Connection: close\r\n")}`);
    await listening.close();
    expect(said.match(/^(connection|keep-alive): .*$/gim)?.map((line) => line.toLowerCase())).toEqual([
      "connection: keep-alive",
      "keep-alive: timeout=30",
      "connection: close",
    ]);
  });

  test("bytes sent after a request do not break the answer to it", async () => {
    const stream = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("begun")) });
    const listening = await listen(serving({ mcp: async () => new Response(stream) }), {
      host: "127.0.0.1",
      port: 0,
    });
    const said = await new Promise<string>((resolve) => {
      const socket = connect(listening.port, "127.0.0.1");
      let all = "";
      socket.write("GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n");
      socket.on("data", (chunk) => {
        all += chunk;
        if (all.includes("begun")) socket.write("NONSENSE\r\n\r\n");
      });
      socket.on("error", () => {});
      socket.on("close", () => resolve(all));
    });
    await listening.close();
    expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200"]);
  });
});
