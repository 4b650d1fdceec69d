// Real clients, from their registries' packages, use us by the very files `contextful setup` writes: offline, without a login.
// node scripts/check-clients.mjs [--all] [NAME…]; without arguments the quick ones, which CI runs.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { installed, newerNode, repository, skip } from "./toolbox.mjs";

const binary = process.env.CONTEXTFUL_BINARY || join(repository, "dist", "bin.js");
const CHECKS = {
  inspector: checkInspector,
  gemini: checkGemini,
  opencode: checkOpenCode,
  codex: checkCodex,
  "claude-code": checkClaude,
  "claude-code-headless": checkClaudeHeadless,
  bundle: checkBundle,
};
const QUICK = ["inspector", "gemini", "opencode"];
/** A tool that is not in the lean list, as `more_tools` calls it. */
const CALLED = { tool: "list_contexts", arguments: {} };

const asked = process.argv.slice(2);
const names = asked.includes("--all") ? Object.keys(CHECKS) : asked.length > 0 ? asked : QUICK;
if (!existsSync(binary)) throw new Error(`${binary} is not built: npm run build`);
for (const name of names) {
  const check = CHECKS[name];
  if (!check) throw new Error(`unknown client ${name}; known: ${Object.keys(CHECKS).join(", ")}`);
  const place = scratch();
  try {
    const said = await check(place);
    if (said) console.log(`ok  ${name}: ${said}`);
  } catch (thrown) {
    console.log(`FAILED  ${name}: ${thrown.message}`);
    process.exitCode = 1;
  } finally {
    rmSync(place.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** A person with nothing but a project: no login, no configuration, no network needed. */
function scratch() {
  const home = mkdtempSync(join(tmpdir(), "client-"));
  const project = join(home, "project");
  mkdirSync(project);
  writeFileSync(join(project, "README.md"), "# A project\n");
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    CONTEXTFUL_HOME: join(home, "data"),
    TERM: "dumb",
    NO_COLOR: "1",
  };
  return { home, project, env };
}

function setup({ project, env }, ...args) {
  execFileSync(process.execPath, [binary, "setup", ...args, "--yes", "--launch", "here"], {
    cwd: project,
    env,
  });
}

function run({ project, env }, program, args, more = {}) {
  const done = spawnSync(program, args, {
    cwd: project,
    env: { ...env, ...more },
    encoding: "utf8",
    timeout: 120_000,
  });
  return `${done.stdout}${done.stderr}`;
}

function demand(isTrue, what, text) {
  if (!isTrue) throw new Error(`${what}\n${String(text).slice(0, 2000)}`);
}

/** Where a client's package is; says why the check is skipped where it cannot be had. */
function fetched(name, ...packages) {
  const modules = installed(name, packages);
  if (!modules) skip(name, `${packages.join(", ")} did not install`);
  return modules;
}

function checkInspector(place) {
  const node = newerNode();
  const modules = node && fetched("inspector-2", "@modelcontextprotocol/inspector@2.12.0");
  if (!modules) return skip("inspector", "it needs Node 22 and a registry to install from");
  const server = [process.execPath, binary, "mcp"];
  const ask = (...args) =>
    run(place, node, [join(modules, ".bin", "mcp-inspector"), "--cli", ...server, ...args]);
  const listed = ask("--method", "tools/list");
  // It is no coding agent, so it gets all tools under the names of their contracts.
  demand(listed.includes("context.resolve"), "it lists no tools", listed);
  const called = ask("--method", "tools/call", "--tool-name", "list_contexts");
  demand(called.includes("total_directories"), "its call failed", called);
  return "lists all tools and calls one";
}

function checkGemini(place) {
  const modules = fetched("gemini-cli", "@google/gemini-cli@0.61.0");
  if (!modules) return undefined;
  setup(place, "gemini");
  const trusted = { GEMINI_CLI_TRUST_WORKSPACE: "true" };
  const listed = run(place, process.execPath, [join(modules, ".bin", "gemini"), "mcp", "list"], trusted);
  demand(/✓ contextful: .*Connected/.test(listed), "gemini mcp list", listed);
  return "gemini mcp list says connected";
}

function checkOpenCode(place) {
  if (process.platform !== "linux" || process.arch !== "x64")
    return skip("opencode", "its package here is for linux-x64");
  const modules = fetched("opencode", "opencode-linux-x64@1.18.33");
  if (!modules) return undefined;
  setup(place, "opencode");
  const listed = run(place, join(modules, "opencode-linux-x64", "bin", "opencode"), ["mcp", "list"]);
  demand(/✓ contextful .*connected/.test(listed), "opencode mcp list", listed);
  return "opencode mcp list says connected";
}

/** Codex lends its tool calls without a model: its app server makes one. */
async function checkCodex(place) {
  const modules = fetched("codex", "@openai/codex@0.166.0");
  if (!modules) return undefined;
  const env = { ...place.env, CODEX_HOME: join(place.home, ".codex") };
  setup({ ...place, env }, "codex", "--scope", "user");
  const child = spawn(process.execPath, [join(modules, ".bin", "codex"), "app-server"], {
    cwd: place.project,
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.method === undefined) waiting.get(message.id)?.(message);
  });
  let last = 0;
  const request = (method, params) => {
    last += 1;
    const id = last;
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`codex did not answer ${method}`)), 90_000);
      waiting.set(id, (message) => {
        clearTimeout(timer);
        if (message.error) reject(new Error(`${method}: ${JSON.stringify(message.error)}`));
        else resolve(message.result);
      });
    });
  };
  try {
    await request("initialize", { clientInfo: { name: "check", version: "1" } });
    const { thread } = await request("thread/start", { cwd: place.project });
    const call = { threadId: thread.id, server: "contextful", tool: "more_tools", arguments: CALLED };
    const answer = await request("mcpServer/tool/call", call);
    demand(
      JSON.stringify(answer).includes("total_directories"),
      "its tool call failed",
      JSON.stringify(answer),
    );
    return "app-server made a real tool call";
  } finally {
    child.kill("SIGTERM");
    await new Promise((resolve) => child.on("close", resolve));
  }
}

/** The manifest for clients that install bundles. */
function checkBundle(place) {
  const modules = fetched("mcpb", "@anthropic-ai/mcpb@2.1.2");
  if (!modules) return undefined;
  const manifest = join(repository, "mcpb", "manifest.json");
  const said = run(place, process.execPath, [join(modules, ".bin", "mcpb"), "validate", manifest]);
  demand(said.includes("validation passes"), "mcpb validate", said);
  return "the bundle's manifest is valid";
}

function claude() {
  if (process.platform !== "linux" || process.arch !== "x64")
    return skip("claude-code", "its package here is for linux-x64");
  const modules = fetched("claude-code", "@anthropic-ai/claude-code-linux-x64@2.1.325");
  return modules && join(modules, "@anthropic-ai", "claude-code-linux-x64", "claude");
}

function checkClaude(place) {
  const program = claude();
  if (!program) return undefined;
  setup(place, "claude-code", "--scope", "user");
  const listed = run(place, program, ["mcp", "list"]);
  demand(/contextful: .*✔ Connected/.test(listed), "claude mcp list", listed);
  const plugin = run(place, program, ["plugin", "validate", repository]);
  demand(plugin.includes("✔ Validation passed"), "claude plugin validate", plugin);
  return "claude mcp list says connected, and the plugin is valid";
}

/** Claude Code with a model of our own that wants one tool and then says what the tool said. */
async function checkClaudeHeadless(place) {
  const program = claude();
  if (!program) return undefined;
  setup(place, "claude-code");
  const seen = [];
  const api = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => answer(request, response, body, seen));
  });
  await new Promise((resolve) => api.listen(0, "127.0.0.1", resolve));
  try {
    const said = await headless(place, program, api.address().port);
    const wanted = ["code_search", "memory_search", "documents_search", "documents_get", "more_tools"];
    demand(
      wanted.every((name) => seen.includes(`mcp__contextful__${name}`)),
      "the model was not shown the tools of the lean list",
      seen.join(" "),
    );
    demand(said.includes("total_directories"), "the tool's answer did not come back", said);
    return `a real tool call end to end, ${seen.length} of our tools shown to the model`;
  } finally {
    api.closeAllConnections();
    api.close();
  }
}

function headless({ project, env }, program, port) {
  const args = ["-p", "Which directories are there?", "--mcp-config", ".mcp.json", "--strict-mcp-config"];
  const child = spawn(program, [...args, "--allowedTools", "mcp__contextful", "--output-format", "json"], {
    cwd: project,
    env: {
      ...env,
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
      ANTHROPIC_API_KEY: "dummy",
      ENABLE_TOOL_SEARCH: "0",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      said += chunk;
    });
  }
  const timer = setTimeout(() => child.kill("SIGKILL"), 120_000);
  return new Promise((resolve) =>
    child.on("close", () => {
      clearTimeout(timer);
      resolve(said);
    }),
  );
}

/** The little of the Messages API that is needed: a tool call first, then the tool's own words. */
function answer(request, response, body, seen) {
  if (!request.url.startsWith("/v1/messages") || request.url.includes("count_tokens")) {
    response.writeHead(200, { "content-type": "application/json" }).end('{"input_tokens":1}');
    return;
  }
  const { messages = [], tools = [], stream } = JSON.parse(body);
  for (const { name } of tools)
    if (name.startsWith("mcp__contextful__") && !seen.includes(name)) seen.push(name);
  const results = messages
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .filter((part) => part.type === "tool_result");
  const wanted = tools.find(({ name }) => name === "mcp__contextful__more_tools");
  const content =
    wanted && results.length === 0
      ? { type: "tool_use", id: "toolu_1", name: wanted.name, input: CALLED }
      : { type: "text", text: JSON.stringify(results.map((part) => part.content)) };
  const stop = content.type === "tool_use" ? "tool_use" : "end_turn";
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "mock",
    content: [content],
    stop_reason: stop,
    stop_sequence: null,
    usage,
  };
  if (!stream) {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(message));
    return;
  }
  const start = content.type === "tool_use" ? { ...content, input: {} } : { type: "text", text: "" };
  const delta =
    content.type === "tool_use"
      ? { type: "input_json_delta", partial_json: JSON.stringify(CALLED) }
      : { type: "text_delta", text: content.text };
  const events = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: start },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
}
