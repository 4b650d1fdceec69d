import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { builtBinary } from "../support/dist.ts";
import { tempDir } from "../support/temp-dir.ts";

let binary = "";
beforeAll(async () => {
  binary = await builtBinary();
});

/** Runs the command for a person whose home is beside their project. */
function runIn(dir: string) {
  const home = join(dir, "home");
  const root = join(dir, "project");
  mkdirSync(home);
  mkdirSync(root);
  execFileSync("git", ["init", "-q", root]);
  return {
    root,
    run: (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [binary, ...args], {
        cwd: root,
        encoding: "utf8",
        env: { PATH: process.env["PATH"], HOME: home, CONTEXTFUL_HOME: join(home, "data") },
      });
      return { status, stdout, stderr };
    },
  };
}

test("setup shows its plan, writes after consent, and can be undone", () => {
  using dir = tempDir();
  const { root, run } = runIn(dir.path);
  const file = join(root, ".mcp.json");
  const planned = run("setup", "claude-code");
  expect(planned.stdout).toContain("Nothing is written yet.");
  expect(existsSync(file)).toBe(false);
  expect(run("setup", "claude-code", "--yes", "--launch", "here").status).toBe(0);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    mcpServers: {
      contextful: {
        type: "stdio",
        command: process.execPath,
        args: [binary, "mcp", "--tool-names", "safe"],
        env: { MCP_CALLER: "mcp:claude-code" },
      },
    },
  });
  expect(run("setup", "--undo").status).toBe(0);
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, "{ oops");
  expect(run("setup", "claude-code", "--yes").status).toBe(1);
  expect(readFileSync(file, "utf8")).toBe("{ oops");
  expect(run("setup", "codex", "--print", "--launch", "npx").stdout).toMatch(
    /^\[mcp_servers\.contextful\]\ncommand = "npx"\n/,
  );
});

test("import and export move rules between a client's files and the team's memory", () => {
  using dir = tempDir();
  const { root, run } = runIn(dir.path);
  writeFileSync(join(root, "GEMINI.md"), "## Style\n\nUse tabs.\n");
  expect(run("import", "gemini").stdout).toBe("add      convention style  from GEMINI.md\n");
  expect(run("export", "codex").stdout).toContain("create    AGENTS.md");
  expect(readFileSync(join(root, "AGENTS.md"), "utf8")).toContain("#### style\n\nUse tabs.\n");
  expect(run("export", "--check").status).toBe(0);
  writeFileSync(
    join(root, "AGENTS.md"),
    readFileSync(join(root, "AGENTS.md"), "utf8").replace("tabs", "spaces"),
  );
  expect(run("export", "--check").status).toBe(4);
  expect(run("export").stderr).toContain("Name a client");
});

test("setup writes the command if it is on the path, else the running file", () => {
  using dir = tempDir();
  const { root, run } = runIn(dir.path);
  const startOf = (PATH: string) => {
    const env = { PATH, HOME: dir.path, CONTEXTFUL_HOME: join(dir.path, "data") };
    const args = ["setup", "codex", "--print"];
    const { stdout } = spawnSync(process.execPath, [binary, ...args], { cwd: root, encoding: "utf8", env });
    return stdout.split("\n").slice(1, 3);
  };
  const bin = join(dir.path, "bin");
  mkdirSync(bin);
  expect(startOf(bin)[0]).toBe(`command = ${JSON.stringify(process.execPath)}`);
  writeFileSync(join(bin, "contextful"), "another program");
  expect(startOf(bin)[0]).toBe(`command = ${JSON.stringify(process.execPath)}`);
  rmSync(join(bin, "contextful"));
  symlinkSync(binary, join(bin, "contextful"));
  expect(startOf(bin)).toEqual(['command = "contextful"', 'args = [ "mcp", "--tool-names", "safe" ]']);
  expect(run("setup", "codex", "--print", "--launch", "here").stdout).toContain(JSON.stringify(binary));
});
