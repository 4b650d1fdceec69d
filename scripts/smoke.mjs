// Installs the packed tarball as a user would and runs the binary: --version, an MCP handshake, doctor; once more without a network.
// A program that imports the package is type-checked against it, without skipLibCheck.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "./toolbox.mjs";

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
  const [{ filename }] = JSON.parse(
    run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", scratch], repository),
  );
  const tarball = join(scratch, filename);
  const user = join(scratch, "user");
  cpSync(join(repository, "tests", "fixtures", "consumer"), user, { recursive: true });
  // Without install scripts, as newer npm does by default. If Node has no SQLite, the add-on built here is used instead.
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts"];
  run("npm", ["install", ...quiet, tarball], user);
  const addOn = join("node_modules", "better-sqlite3", "build");
  if (existsSync(join(repository, addOn)) && existsSync(join(user, "node_modules", "better-sqlite3"))) {
    cpSync(join(repository, addOn), join(user, addOn), { recursive: true });
  }
  const binary = join(user, "node_modules", "contextful", "dist", "bin.js");
  tryOut([process.execPath, binary], user, "installed tarball");
  const canCut = spawnSync("unshare", ["-rn", "true"]).status === 0;
  if (canCut) tryOut(["unshare", "-rn", process.execPath, binary], user, "installed tarball, network cut");
  else console.log("SKIPPED network cut: unshare -n is not permitted here");
  checkTypes(user, tarball);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Type-checks a program that imports the package, then checks how the package resolves for every kind of importer. */
function checkTypes(user, tarball) {
  const bin = (name) => join(repository, "node_modules", ".bin", name);
  run(bin("tsc"), ["-p", "tsconfig.json"], user);
  console.log("installed tarball: a program that imports it type-checks");
  // The package is ESM only, so importers that know only CommonJS are left out.
  run(bin("attw"), [tarball, "--profile", "esm-only"], user);
  console.log("installed tarball: its types resolve (attw)");
}

function tryOut([program, ...args], cwd, what) {
  const version = run(program, [...args, "--version"], cwd).trim();
  const input = `${HANDSHAKE.map((message) => JSON.stringify(message)).join("\n")}\n`;
  const answers = spawnMcp(program, [...args, "mcp"], cwd, input);
  const tools = answers.find(({ id }) => id === 2)?.result?.tools ?? [];
  const doctor = JSON.parse(run(program, [...args, "doctor", "--json"], cwd));
  const problems = doctor.findings.filter(({ state }) => state === "problem");
  if (!/^\d+\.\d+\.\d+/.test(version) || tools.length === 0 || problems.length > 0) {
    throw new Error(
      `${what}: version ${version}, ${tools.length} tools, problems ${JSON.stringify(problems)}`,
    );
  }
  console.log(`${what}: version ${version}, ${tools.length} tools, doctor content`);
}

/** Keeps stdin open for a moment, so that the server can answer before its input ends. */
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
  return stdout;
}

function env(cwd) {
  return { ...process.env, CONTEXTFUL_HOME: join(cwd, "contextful-home") };
}
