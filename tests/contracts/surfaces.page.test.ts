import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import SwaggerParser from "@apidevtools/swagger-parser";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { openApp } from "../../src/app.ts";
import { CallLog } from "../../src/surfaces/call-log.ts";
import { httpApp } from "../../src/surfaces/http/index.ts";
import { mcpHandler } from "../../src/surfaces/mcp/index.ts";
import { openPage } from "../../src/surfaces/web/index.ts";
import { testMachine } from "../support/machine.ts";
import { madeUp } from "../support/made-up.ts";
import { echoTool, scratchApp } from "../support/scratch-app.ts";

const ORIGIN = "http://127.0.0.1:7331";
const HOST = { Host: "127.0.0.1:7331" };
const JSON_TYPE = { "Content-Type": "application/json" };
const TOKEN = "a token of some length";
const files = mkdtempSync(join(tmpdir(), "page-"));
writeFileSync(join(files, "index.html"), "<!doctype html>");

const OpenApiPaths = z.looseObject({ paths: z.record(z.string(), z.unknown()) });
const Session = z.object({ token: z.string() });
interface ServedOptions {
  readonly token?: string;
  readonly isReadOnly?: boolean;
}

function served({ token, isReadOnly = false }: ServedOptions = {}) {
  const app = scratchApp([
    echoTool("documents", { name: "echo" }),
    echoTool("team-memory", { name: "note", effect: "writes" }),
    echoTool("documents", { name: "documents_sync", audience: "people", effect: "writes" }),
    echoTool("clients", { name: "clients_setup", audience: "people", effect: "writes" }),
  ]);
  const calls = new CallLog(() => new Date(0));
  const page = openPage(app, { version: "1", calls, token, isReadOnly, files: pathToFileURL(`${files}/`) });
  const mcp = mcpHandler(app, { version: "1", calls });
  const hono = httpApp(app, {
    version: "1",
    host: token ? "0.0.0.0" : "127.0.0.1",
    token,
    mcp: mcp.fetch,
    page,
    calls,
  });
  const ask = (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
    hono.request(`${ORIGIN}${path}`, { ...init, headers: { ...HOST, ...init.headers } });
  const post = (path: string, headers: Record<string, string> = {}, body: object = { text: "hi" }) =>
    ask(path, { method: "POST", body: JSON.stringify(body), headers: { ...JSON_TYPE, ...headers } });
  async function session(headers: Record<string, string> = {}) {
    const response = await ask("/page/session", { headers });
    const cookie = (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const { token: header } = Session.parse(await response.json());
    return { Cookie: cookie, "Contextful-Page": header };
  }
  return { ask, post, session, calls };
}
const BROWSER = { Origin: ORIGIN, "Sec-Fetch-Site": "same-origin" };

describe("the page's files", () => {
  test("forbid inline script, foreign origins and frames", async () => {
    const response = await served().ask("/");
    expect(response.status).toBe(200);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain("unsafe");
    expect(response.headers.get("x-frame-options")).toBe("DENY");
  });

  test("are 404 if the page was not built", async () => {
    expect((await served().ask("/page/page.js")).status).toBe(404);
  });
});

describe("a write from a browser", () => {
  test.each([
    { what: "neither cookie nor header", headers: [] },
    { what: "the cookie alone", headers: ["Cookie"] },
    { what: "the header alone", headers: ["Contextful-Page"] },
  ] as const)("is refused with $what", async ({ headers }) => {
    const { post, session } = served();
    const own = await session();
    const sent = Object.fromEntries(headers.map((name) => [name, own[name]]));
    expect((await post("/tools/note", { ...BROWSER, ...sent })).status).toBe(403);
    expect((await post("/page/tools/documents_sync", { ...BROWSER, ...sent })).status).toBe(403);
  });

  test("is accepted with both, and refused from another port of this machine", async () => {
    const { post, session } = served();
    const own = await session();
    expect((await post("/tools/note", { ...BROWSER, ...own })).status).toBe(200);
    const other = { Origin: "http://127.0.0.1:3000", "Sec-Fetch-Site": "same-site" };
    expect((await post("/tools/note", { ...other, ...own })).status).toBe(403);
    expect((await post("/page/tools/documents_sync", { ...other, ...own })).status).toBe(403);
  });

  test("does not change what programs may do", async () => {
    expect((await served().post("/tools/note")).status).toBe(200);
  });
});

describe("the session", () => {
  test("has a cookie that scripts and other sites cannot use, with the port in its name", async () => {
    const response = await served().ask("/page/session");
    expect(response.headers.get("set-cookie")).toMatch(
      /^contextful_7331=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  test("of one server is unknown to another", async () => {
    const own = await served().session();
    expect((await served().post("/page/tools/page_calls", own, {})).status).toBe(403);
  });

  test("is refused to another site", async () => {
    const response = await served().ask("/page/session", { headers: { "Sec-Fetch-Site": "cross-site" } });
    expect([response.status, response.headers.get("set-cookie")]).toEqual([403, null]);
  });

  test("only serves the commands that the page needs", async () => {
    const { post, session } = served();
    const own = await session();
    expect((await post("/page/tools/documents_sync", own)).status).toBe(200);
    expect((await post("/page/tools/clients_setup", own)).status).toBe(404);
  });
});

describe("with a bearer token", () => {
  test("the files need none, everything else does, and the browser is asked once", async () => {
    const { ask, post, session } = served({ token: TOKEN });
    expect((await ask("/")).status).toBe(200);
    expect((await ask("/page/session")).status).toBe(401);
    expect((await ask("/events")).status).toBe(401);
    const own = await session({ Authorization: `Bearer ${TOKEN}` });
    expect((await post("/tools/echo", { ...BROWSER, ...own })).status).toBe(200);
    expect((await ask("/page/session", { headers: { Cookie: own.Cookie } })).status).toBe(200);
    // The same token after a restart: the cookie still holds.
    const again = served({ token: TOKEN });
    expect((await again.ask("/page/session", { headers: { Cookie: own.Cookie } })).status).toBe(200);
    const changed = served({ token: `${TOKEN} 2` });
    expect((await changed.ask("/page/session", { headers: { Cookie: own.Cookie } })).status).toBe(401);
  });
});

describe("the call log", () => {
  test("has what agents sent and received, without secrets and without the page's own calls", async () => {
    const { post, session, calls } = served();
    const secret = `ghp_${madeUp(36)}`;
    await post("/tools/echo", { "User-Agent": "agent/1" }, { text: `token ${secret}` });
    await post("/tools/echo", {}, {});
    await post("/tools/echo", await session());
    const listed = await calls.list();
    expect(listed).toMatchObject([
      { id: 1, surface: "http", client: "agent/1", tool: "echo", isError: false },
      { id: 2, tool: "echo", isError: true },
    ]);
    expect(JSON.stringify([listed, await calls.find(1)])).not.toContain(secret);
    expect((await calls.find(1))?.given).toContain("said");
  });

  test("is bounded by calls and by text", async () => {
    const calls = new CallLog(() => new Date(0));
    const call = {
      surface: "mcp",
      client: "c",
      tool: "t",
      input: {},
      output: [],
      isError: false,
      milliseconds: 1,
    } as const;
    for (let at = 0; at < 600; at += 1) await calls.add({ ...call, given: "x" });
    expect((await calls.list()).length).toBe(500);
    const long = "x".repeat(2_000_000);
    for (let at = 0; at < 30; at += 1) await calls.add({ ...call, given: long });
    expect(await calls.find(622)).toBeUndefined();
  });

  test("sends each call to open pages", async () => {
    const { ask, post, session } = served();
    const own = await session();
    const leaving = new AbortController();
    const stream = await ask("/events", { headers: { Cookie: own.Cookie }, signal: leaving.signal });
    expect(stream.headers.get("content-type")).toBe("text/event-stream");
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    await post("/tools/echo");
    let seen = "";
    while (!seen.includes("event: call")) seen += (await reader?.read())?.value ?? "";
    leaving.abort();
    expect(seen).toContain('"tool":"echo"');
  });

  test("needs the page's cookie", async () => {
    expect((await served().ask("/events")).status).toBe(403);
  });
});

test("the session of a read-only server lists no tool that writes", async () => {
  const response = await served({ isReadOnly: true }).ask("/page/session");
  expect(await response.json()).toMatchObject({
    read_only: true,
    tools: expect.not.arrayContaining(["note"]),
  });
});

test("what the page calls is in the OpenAPI document, which a validator accepts", async () => {
  const app = openApp(testMachine("/nowhere"));
  const calls = new CallLog(() => new Date(0));
  const page = openPage(app, { version: "1", calls });
  const hono = httpApp(app, {
    version: "1",
    host: "127.0.0.1",
    mcp: async () => new Response(),
    page,
    calls,
  });
  const response = await hono.request(`${ORIGIN}/openapi.json`, { headers: HOST });
  const document = OpenApiPaths.parse(await response.json());
  const paths = Object.keys(document.paths);
  expect(paths).toEqual(
    expect.arrayContaining(["/", "/events", "/page/session", "/page/tools/page_overview"]),
  );
  await SwaggerParser.validate(JSON.parse(JSON.stringify(document)));
});
