// Installs the packed tarball as a user would and runs the binary: --version, an MCP handshake, an index, doctor; then again without a network.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pack } from "./pack.mjs";

const MOST_MEGABYTES = 60;
const HANDSHAKE = [
  {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "smoke", version: "1" } },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", id: 2, method: "tools/list" },
];

const scratch = mkdtempSync(join(tmpdir(), "contextful-smoke-"));
try {
  const { tarball } = pack(scratch);
  const user = join(scratch, "user");
  mkdirSync(user);
  writeFileSync(join(user, "package.json"), '{ "private": true }');
  writeFileSync(join(user, "main.go"), "package main\n\n// Greet says hello.\nfunc Greet() {}\n");
  const began = performance.now();
  const { stderr } = run("npm", ["install", "--no-audit", "--no-fund", tarball], user);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  // Warnings about the configuration of whoever runs this are not ours.
  const warnings = stderr.split("\n").filter((line) => /warn/i.test(line) && !/(user|env) config/.test(line));
  const megabytes = Math.round(bytesIn(join(user, "node_modules")) / 1_000_000);
  if (warnings.length > 0 || megabytes > MOST_MEGABYTES)
    throw new Error(`installed ${megabytes} MB with warnings: ${warnings.join("\n")}`);
  console.log(`npm install: ${seconds} s, ${megabytes} MB, no warnings`);
  const binary = join(user, "node_modules", "contextful", "dist", "bin.js");
  tryOut([process.execPath, binary], user, "installed tarball");
  const canCut = spawnSync("unshare", ["-rn", "true"]).status === 0;
  if (canCut) tryOut(["unshare", "-rn", process.execPath, binary], user, "installed tarball, network cut");
  else console.log("SKIPPED network cut: unshare -n is not permitted here");
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function tryOut([program, ...args], cwd, what) {
  const version = run(program, [...args, "--version"], cwd).stdout.trim();
  const input = `${HANDSHAKE.map((message) => JSON.stringify(message)).join("\n")}\n`;
  const answers = spawnMcp(program, [...args, "mcp"], cwd, input);
  const tools = answers.find(({ id }) => id === 2)?.result?.tools ?? [];
  run(program, [...args, "code", "index", "."], cwd);
  const hasFound = run(program, [...args, "code", "search", ".", "Greet"], cwd).stdout.includes("main.go");
  const doctor = JSON.parse(run(program, [...args, "doctor", "--json"], cwd).stdout);
  const problems = doctor.findings.filter(({ state }) => state === "problem");
  const sqlite = doctor.findings.find(({ name }) => name === "sqlite")?.detail.split(":")[0];
  if (!/^\d+\.\d+\.\d+/.test(version) || tools.length === 0 || !hasFound || problems.length > 0) {
    throw new Error(
      `${what}: version ${version}, ${tools.length} tools, found ${hasFound}, problems ${JSON.stringify(problems)}`,
    );
  }
  console.log(
    `${what}: version ${version}, ${tools.length} tools, search works on ${sqlite}, doctor content`,
  );
}

/** The server answers, then the input ends: a shell keeps it open until the answers are written. */
function spawnMcp(program, args, cwd, input) {
  const held = `(cat; sleep 2) | "$0" "$@"`;
  const { stdout } = spawnSync("sh", ["-c", held, program, ...args], {
    cwd,
    env: env(cwd),
    input,
    encoding: "utf8",
  });
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function run(program, args, cwd) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env: env(cwd), encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}:\n${stdout}${stderr}`);
  return { stdout, stderr };
}

function bytesIn(directory) {
  const files = readdirSync(directory, { recursive: true }).map((name) => statSync(join(directory, name)));
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}

function env(cwd) {
  return { ...process.env, CONTEXTFUL_HOME: join(cwd, "contextful-home") };
}
