import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { builtBinary } from "../support/dist.ts";
import { startClient } from "../support/stdio-client.ts";
import { tempDir } from "../support/temp-dir.ts";
import { GOLDEN, golden, readTree, writeTree } from "./context-caches-cases.ts";

const CACHES = join(GOLDEN, "compat/v0/caches");
let binary = "";
beforeAll(async () => {
  binary = await builtBinary();
});

function run(home: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [binary, "caches", ...args], {
    cwd: home,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: home, CONTEXTFUL_HOME: join(home, "contextful"), ...env },
  });
  return { status, stdout, stderr };
}

const Result = z.object({
  content: z.tuple([z.object({ type: z.literal("text"), text: z.string() })]),
  isError: z.boolean().optional(),
});

/** A server on the published caches; a call gives the text of its result. */
function startServer(home: string) {
  const client = startClient(binary, {
    args: ["mcp", "--cache-root", CACHES],
    cwd: home,
    env: { CONTEXTFUL_HOME: join(home, "contextful") },
  });
  const call = async (name: string, input: unknown) => {
    const { result } = await client.callTool(name, input);
    const { content, isError } = Result.parse(result);
    return { text: content[0].text, isError: isError ?? false };
  };
  return { client, call };
}

test("over MCP and on the command line an answer is the same bytes, in every locale and time zone", async () => {
  using dir = tempDir();
  const { client, call } = startServer(dir.path);
  await using _client = client;
  await client.initialize();
  const expected = `${golden("compat/v0/expected/realistic_multi_term.json")}\n`;
  const input = { cache: "realistic", query: "deployment security", budget: 4000 };
  expect(await call("context.resolve", input)).toEqual({ text: expected, isError: false });
  expect(await call("caches_resolve", input)).toEqual({ text: expected, isError: false });
  const args = ["resolve", "--cache", "realistic", "--cache-root", CACHES, "--query", input.query];
  const environments = [
    {},
    { LC_ALL: "tr_TR.UTF-8", TZ: "Asia/Kolkata" },
    { LANG: "de_DE", TZ: "America/Lima" },
  ];
  expect(environments.map((env) => run(dir.path, [...args, "--budget", "4000"], env))).toEqual(
    environments.map(() => ({ status: 0, stdout: expected, stderr: "" })),
  );
});

test("a build gives the same files in every locale and time zone", () => {
  using dir = tempDir();
  writeTree(dir.path, {
    "docs/\u0130I.md": "I\u0130\u0131",
    "docs/\u00df.md": "Stra\u00dfe",
    "docs/z.md": "z",
  });
  const built = [{}, { LC_ALL: "tr_TR.UTF-8", TZ: "Asia/Kolkata" }].map((env, place) => {
    run(dir.path, ["build", "--sources", "docs", "--cache", `c${place}`], env);
    const tree = readTree(join(dir.path, `c${place}`));
    return { ...tree, "manifest.json": tree["manifest.json"]?.replace(/"created_at": ".*"/, "") };
  });
  expect(Object.keys(built[0] ?? {})).toHaveLength(5);
  expect(built[1]).toEqual(built[0]);
});

test("tools are listed with the types of the contract, and failures are its two fields and a newline", async () => {
  using dir = tempDir();
  const { client, call } = startServer(dir.path);
  await using _client = client;
  await client.initialize();
  const listed = JSON.stringify((await client.request("tools/list")).result);
  expect(listed).toContain('"budget":{"type":"integer","minimum":0,');
  expect(listed).toContain('"required":["cache","query","budget"]');
  const error = (code: string, message: string) => ({
    text: `{"error":{"code":"${code}","message":"${message}"}}\n`,
    isError: true,
  });
  const ask = (input: object) => call("context.resolve", { cache: "nope", query: "x", budget: 1, ...input });
  expect(await ask({ budget: -1 })).toEqual(error("invalid_budget", "Budget is invalid"));
  expect(await ask({ budget: "10", query: 3, cache: 4 })).toEqual(
    error("invalid_budget", "Budget is invalid"),
  );
  expect(await ask({ query: 3 })).toEqual(error("invalid_query", "Query is invalid"));
  expect(await ask({})).toEqual(error("cache_missing", "Cache does not exist"));
  expect(await ask({ cache: "future_version" })).toEqual(
    error("cache_invalid", "Cache exists but is invalid"),
  );
  expect(await call("context.inspect_cache", { cache: "realistic" })).toEqual({
    text:
      '{"cache_version":"sha256:f9fa9741f02dcd0ed510214260b6c92f669786ae41a22313bcbe32d33891ab23",' +
      '"document_count":3,"total_bytes":935,"valid":true}',
    isError: false,
  });
  expect((await client.callTool("context.resolve", { query: "x", budget: 1 })).error?.code).toBe(-32602);
});

test("a line of more than a mebibyte does not end the server", async () => {
  using dir = tempDir();
  const { client, call } = startServer(dir.path);
  await using _client = client;
  await client.initialize();
  client.write(`{"jsonrpc":"2.0","id":"long","method":"${"x".repeat(1_100_000)}"}\n`);
  expect((await call("context.list_caches", {})).text).toContain('{"path":"minimal","has_manifest":true}');
});

test("exit codes say what went wrong; stdout stays empty and stderr starts with error", () => {
  using dir = tempDir();
  writeTree(dir.path, { "twins/a.md": "same", "twins/b.md": "same", "case/A.md": "1", "case/a.md": "2" });
  writeTree(dir.path, { "broken/manifest.json": "{}", "docs/a.md": "one" });
  const resolve = (cache: string, budget: string) => [
    "resolve",
    "--cache",
    cache,
    "--query",
    "x",
    "--budget",
    budget,
  ];
  const cases: [number, string[]][] = [
    [1, ["resolve", "--no-such-flag"]],
    [3, resolve(join(CACHES, "minimal"), "abc")],
    [3, [...resolve("nope", "0").slice(0, -1), "-1"]],
    [4, resolve("nope", "1")],
    [5, resolve("broken", "1")],
    [5, ["verify", "--cache", "broken"]],
    [5, ["build", "--sources", "case", "--cache", "out"]],
    [6, ["build", "--sources", "absent", "--cache", "out"]],
    [6, ["build", "--sources", "docs", "--cache", "broken"]],
    [6, ["list", "--cache-root", "absent"]],
    [7, ["build", "--sources", "twins", "--cache", "out"]],
  ];
  const outcomes = cases.map(([, args]) => run(dir.path, args));
  expect(outcomes.map(({ status, stdout }) => [status, stdout])).toEqual(
    cases.map(([status]) => [status, ""]),
  );
  expect(outcomes.filter(({ stderr }) => !stderr.startsWith("error: "))).toEqual([]);
});

test("build, verify, inspect, list, explain and resolve work on a directory or a name", () => {
  using dir = tempDir();
  writeTree(dir.path, { "docs/Guide.md": "Deploy the service", "docs/faq.md": "\u007f\u0085 control" });
  expect(run(dir.path, ["build", "--sources", "docs", "--cache", ".context-caches/docs"]).status).toBe(0);
  expect(run(dir.path, ["verify", "--cache", "docs"]).stdout).toMatch(
    /^Valid: 2 documents, sha256:[0-9a-f]{64}\n$/,
  );
  expect(run(dir.path, ["list"]).stdout).toBe("docs\n");
  expect(run(dir.path, ["inspect", "--cache", ".context-caches/docs"]).stdout).toMatch(
    /^\{\n {2}"cache_version": /,
  );
  const ask = ["--cache", "docs", "--query", "deploy", "--budget", "5"];
  expect(run(dir.path, ["explain", ...ask]).stdout).toContain("The selection changes at a budget of 8.\n");
  const compact = run(dir.path, ["resolve", ...ask, "--budget", "50"]).stdout;
  const pretty = run(dir.path, ["resolve", ...ask, "--budget", "50", "--format", "pretty"]).stdout;
  expect(compact).toContain('"content":"\u007f\u0085 control"');
  expect(pretty).toMatch(/^\{\n {2}"documents": \[\n {4}\{\n {6}"id": "guide.md",/);
  expect(JSON.parse(pretty)).toEqual(JSON.parse(compact));
  const before = readTree(join(dir.path, ".context-caches"));
  writeFileSync(join(dir.path, "docs", "bad.md"), Buffer.from([0xff]));
  const failed = run(dir.path, ["build", "--sources", "docs", "--cache", ".context-caches/docs", "--force"]);
  expect(failed).toEqual({
    status: 7,
    stdout: "",
    stderr: expect.stringContaining("bad.md is not valid UTF-8"),
  });
  expect(readTree(join(dir.path, ".context-caches"))).toEqual(before);
});
