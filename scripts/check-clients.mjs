// Real clients, from their registries' packages, use us by the very files `contextful setup` writes: offline, without a login.
// node scripts/check-clients.mjs [--all] [NAME…]; without arguments the quick ones, which CI runs.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { CALLED, startModel } from "./model-server.mjs";
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
const QUESTION = "Which directories are there?";

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

/** Gemini CLI lists us, and calls a tool that a model of our own wants. */
async function checkGemini(place) {
  const modules = fetched("gemini-cli", "@google/gemini-cli@0.61.0");
  if (!modules) return undefined;
  setup(place, "gemini");
  const gemini = [join(modules, ".bin", "gemini")];
  const trusted = { GEMINI_CLI_TRUST_WORKSPACE: "true" };
  const listed = run(place, process.execPath, [...gemini, "mcp", "list"], trusted);
  demand(/✓ contextful: .*Connected/.test(listed), "gemini mcp list", listed);
  // With another address it would choose a kind of login that it then refuses.
  mkdirSync(join(place.home, ".gemini"), { recursive: true });
  const login = { security: { auth: { selectedType: "gemini-api-key" } } };
  writeFileSync(join(place.home, ".gemini", "settings.json"), JSON.stringify(login));
  const shown = await withModel(place, async (address) => ({
    program: process.execPath,
    args: [...gemini, "-p", QUESTION, "--approval-mode", "yolo", "-m", "gemini-2.5-pro"],
    env: { ...trusted, GEMINI_API_KEY: "dummy", GOOGLE_GEMINI_BASE_URL: address },
  }));
  return `gemini mcp list says connected, and a real tool call end to end, ${shown} of our tools shown to the model`;
}

/** OpenCode lists us, and calls a tool that a model of our own wants. */
async function checkOpenCode(place) {
  if (process.platform !== "linux" || process.arch !== "x64")
    return skip("opencode", "its package here is for linux-x64");
  const modules = fetched("opencode", "opencode-linux-x64@1.18.33");
  if (!modules) return undefined;
  setup(place, "opencode");
  const program = join(modules, "opencode-linux-x64", "bin", "opencode");
  const listed = run(place, program, ["mcp", "list"]);
  demand(/✓ contextful .*connected/.test(listed), "opencode mcp list", listed);
  const shown = await withModel(place, async (address) => {
    const anthropic = {
      options: { baseURL: `${address}/v1`, apiKey: "dummy" },
      models: { mock: { name: "mock", tool_call: true, limit: { context: 100_000, output: 1_000 } } },
    };
    const settings = { model: "anthropic/mock", small_model: "anthropic/mock", provider: { anthropic } };
    return {
      program,
      args: ["run", QUESTION, "--model", "anthropic/mock"],
      env: {
        OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...settings, permission: "allow", autoupdate: false }),
        OPENCODE_DISABLE_MODELS_FETCH: "1",
      },
    };
  });
  return `opencode mcp list says connected, and a real tool call end to end, ${shown} of our tools shown to the model`;
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

/** Claude Code calls a tool that a model of our own wants. */
async function checkClaudeHeadless(place) {
  const program = claude();
  if (!program) return undefined;
  setup(place, "claude-code");
  const shown = await withModel(place, async (address) => ({
    program,
    args: [
      ...["-p", QUESTION, "--mcp-config", ".mcp.json", "--strict-mcp-config"],
      ...["--allowedTools", "mcp__contextful", "--output-format", "json"],
    ],
    env: {
      ANTHROPIC_BASE_URL: address,
      ANTHROPIC_API_KEY: "dummy",
      ENABLE_TOOL_SEARCH: "0",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    },
  }));
  return `a real tool call end to end, ${shown} of our tools shown to the model`;
}

/** Runs a client with a model that wants one tool and then says what the tool said. Gives how many tools it was shown. */
async function withModel(place, clientAt) {
  const model = await startModel();
  try {
    const said = await runToEnd(place, await clientAt(model.address));
    const wanted = ["code_search", "memory_search", "documents_search", "documents_get", "more_tools"];
    const shown = model.tools();
    demand(
      wanted.every((name) => shown.some((tool) => tool.endsWith(name) || isContractName(tool, name))),
      "the model was not shown the tools of the lean list",
      `${shown.join(" ")}\n${said}`,
    );
    demand(said.includes("total_directories"), "the tool's answer did not come back", said);
    return shown.length;
  } finally {
    model.stop();
  }
}

/** A client that keeps dots is shown the documents' tools under the names of their contract. */
function isContractName(tool, name) {
  return tool.endsWith(name.replace("documents_", "context."));
}

function runToEnd({ project, env }, { program, args, env: more }) {
  const child = spawn(program, args, {
    cwd: project,
    env: { ...env, ...more },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      said += chunk;
    });
  }
  const timer = setTimeout(() => child.kill("SIGKILL"), 180_000);
  return new Promise((resolve) =>
    child.on("close", () => {
      clearTimeout(timer);
      resolve(said);
    }),
  );
}
