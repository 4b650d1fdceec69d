// Runs the protocol's own conformance suites, both generations, against our server shell with the suites' fixtures.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "rolldown";
import { installed, newerNode, repository, skip } from "./toolbox.mjs";

const SUITES = [
  { version: "0.1.16", args: [], known: "known-failures-0.1.yml" },
  { version: "0.2.0-alpha.12", args: ["--requirements", "2026-07-28"], known: "known-failures-0.2.yml" },
];

const node = newerNode();
if (!node) skip("conformance", "the suites need Node 22 and it could not be installed");
else process.exitCode = await run(node);

async function run(node) {
  const folder = join(repository, "node_modules", ".cache", "contextful");
  mkdirSync(folder, { recursive: true });
  const out = mkdtempSync(join(folder, "conformance-"));
  const results = mkdtempSync(join(tmpdir(), "conformance-"));
  await build({
    input: join(repository, "tests", "conformance", "server.ts"),
    platform: "node",
    external: [/^[^./]/],
    logLevel: "warn",
    output: { dir: out, format: "esm", entryFileNames: "server.mjs" },
  });
  const server = spawn(node, [join(out, "server.mjs")], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const url = await new Promise((resolve, reject) => {
      createInterface({ input: server.stdout }).once("line", resolve);
      server.once("close", () => reject(new Error("The server of fixtures did not start.")));
    });
    const codes = SUITES.map((suite) => runSuite(node, url, suite, results));
    return codes.every((code) => code === 0) ? 0 : 1;
  } finally {
    server.kill();
    rmSync(out, { recursive: true, force: true });
    rmSync(results, { recursive: true, force: true });
  }
}

function runSuite(node, url, { version, args, known }, results) {
  const modules = installed(`conformance-${version}`, [`@modelcontextprotocol/conformance@${version}`]);
  if (!modules) {
    skip(`conformance ${version}`, "the package could not be installed");
    return 0;
  }
  const cli = join(modules, "@modelcontextprotocol", "conformance", "dist", "index.js");
  const expected = join(repository, "tests", "conformance", known);
  console.log(`\nconformance ${version}`);
  const all = [cli, "server", "--url", url, ...args, "--expected-failures", expected, "-o", results];
  return spawnSync(node, all, { stdio: "inherit", cwd: results }).status ?? 1;
}
