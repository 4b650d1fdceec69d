import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtBinary } from "../support/dist.ts";
import { startClient } from "../support/stdio-client.ts";
import { tempDir } from "../support/temp-dir.ts";
import { write } from "./directory-contexts-surfaces.ts";

const FILES = {
  "project/.context.config.yaml": "min_tokens: 0\n",
  "project/package.json": '{"name": "shop", "description": "A small shop."}',
  "project/src/orders.ts": "/** Places an order. */\nexport function place(id: string): void {}\n",
};

/** Runs the built command line in a project of its own. */
async function openShell(directory: string) {
  write(directory, FILES);
  const binary = await builtBinary();
  const root = join(directory, "project");
  const env = { PATH: process.env["PATH"] ?? "", HOME: directory, CONTEXTFUL_HOME: join(directory, "home") };
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [binary, "directories", ...args], {
      cwd: root,
      env,
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  };
  return { binary, root, env, run };
}

test("the command line describes a project, checks it, and fails in CI after an edit", async () => {
  using dir = tempDir();
  const { root, run } = await openShell(dir.path);
  expect(run("init", "--dry-run").stdout).toContain("+summary: A small shop.");
  expect(existsSync(join(root, ".context.yaml"))).toBe(false);
  expect(run("init")).toMatchObject({
    status: 0,
    stdout: "2 contexts created, 0 updated, 0 unchanged; AGENTS.md written.\n",
  });
  expect(JSON.parse(run("status", "--json").stdout)).toMatchObject({ summary: { fresh: 2, total: 2 } });
  expect(run("show", "src").stdout).toContain("summary: Places an order.");
  expect(run("check", "--ci")).toMatchObject({ status: 0, stdout: "All 2 contexts hold.\n" });
  appendFileSync(join(root, "src/orders.ts"), "// edited\n");
  expect(run("check", "--ci")).toMatchObject({ status: 1, stdout: expect.stringContaining("changed src") });
  expect(run("rehash").stdout).toContain("1 contexts marked");
  expect(run("validate", "--strict").status).toBe(0);
  expect(run("ignore", "src").stdout).toContain("Added /src/");
  expect(run("doctor").status).toBe(0);
  expect(run("stats", "--json").status).toBe(0);
  expect(run("show", "nowhere").status).toBe(3);
});

test("the served tools answer the contract's shapes over stdio", async () => {
  using dir = tempDir();
  const { binary, root, env, run } = await openShell(dir.path);
  run("init");
  await using client = startClient(binary, { cwd: root, env });
  await client.initialize();
  const call = async (name: string, input: unknown) => (await client.callTool(name, input)).result;
  expect(await call("query_context", { scope: "src", filter: ["exports"] })).toMatchObject({
    structuredContent: { found: true, scope: "src", context: { exports: ["place(id: string): void"] } },
  });
  expect(await call("query_context", { scope: "../../etc" })).toMatchObject({
    structuredContent: { found: false, scope: "../../etc", error: "Invalid scope: path traversal detected" },
    isError: true,
  });
  expect(await call("check_freshness", { scope: "src" })).toMatchObject({
    structuredContent: { state: "fresh" },
  });
  expect(await call("list_contexts", {})).toMatchObject({ structuredContent: { tracked: 2, root } });
  expect(await call("query_context", { scope: 5 })).toMatchObject({ isError: true });
});
