// The MCP inspector, a client that is not ours, lists and calls tools of the built binary over stdio, in both eras.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installed, newerNode, repository, skip } from "./toolbox.mjs";

const node = newerNode();
const modules = node && installed("inspector-2", ["@modelcontextprotocol/inspector@2.12.0"]);
if (!modules) skip("inspector", "it needs Node 22 and a registry to install from");
else process.exitCode = run(join(modules, ".bin", "mcp-inspector"));

function run(inspector) {
  const scratch = mkdtempSync(join(tmpdir(), "inspector-"));
  writeFileSync(join(scratch, "README.md"), "# A project\n");
  const env = { ...process.env, CONTEXTFUL_HOME: join(scratch, "home") };
  const server = [process.execPath, join(repository, "dist", "bin.js"), "mcp", "--root", scratch];
  const ask = (...args) => {
    const { status, stdout, stderr } = spawnSync(node, [inspector, "--cli", ...server, ...args], {
      env,
      encoding: "utf8",
    });
    if (status !== 0)
      throw new Error(`mcp-inspector ${args.join(" ")} ended with ${status}:\n${stdout}${stderr}`);
    return JSON.parse(stdout);
  };
  try {
    for (const era of ["legacy", "modern"]) {
      const { tools } = ask("--method", "tools/list", "--protocol-era", era);
      const call = ask("--method", "tools/call", "--tool-name", "list_contexts", "--protocol-era", era);
      if (tools.length === 0 || !JSON.stringify(call).includes("total_directories")) {
        throw new Error(`${era}: ${tools.length} tools; the call gave ${JSON.stringify(call).slice(0, 300)}`);
      }
      console.log(`inspector, ${era} era: ${tools.length} tools listed, list_contexts called`);
    }
    return 0;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
