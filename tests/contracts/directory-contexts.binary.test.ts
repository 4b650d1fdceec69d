import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sha256 } from "../../src/core/hash.ts";
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
async function openShell(directory: string, files: Readonly<Record<string, string>> = FILES) {
  write(directory, files);
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

test("a home directory is described only with --force", async () => {
  using dir = tempDir();
  const { root, run } = await openShell(dir.path);
  expect(run("init", "--path", dir.path)).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/more than a project.*--force/),
  });
  expect(existsSync(join(root, ".context.yaml"))).toBe(false);
  expect(run("init", "--path", dir.path, "--force").status).toBe(0);
});

test("the command line describes a project, and status fails in CI after an edit", async () => {
  using dir = tempDir();
  const { root, run } = await openShell(dir.path);
  expect(run("init", "--dry-run").stdout).toContain("+summary: A small shop.");
  expect(existsSync(join(root, ".context.yaml"))).toBe(false);
  expect(run("init", "--agents")).toMatchObject({
    status: 0,
    stdout: "2 contexts created, 0 updated, 0 unchanged; AGENTS.md written.\n",
  });
  expect(JSON.parse(run("status", "--json").stdout)).toMatchObject({ summary: { fresh: 2, total: 2 } });
  expect(run("show", "src").stdout).toContain('summary: "Source code of shop: A small shop (derived)."');
  expect(run("status", "--stale")).toMatchObject({
    status: 0,
    stdout: "2 directories: 2 fresh, 0 stale, 0 missing; 0 too small for a context.\n",
  });
  appendFileSync(join(root, "src/orders.ts"), "// edited\n");
  expect(run("status", "--stale")).toMatchObject({
    status: 4,
    stdout: expect.stringMatching(/^stale {3}src/),
  });
  expect(run("rehash").stdout).toContain("1 context marked");
  expect(run("status", "--strict").status).toBe(0);
  expect(run("ignore", "src").stdout).toContain("Added /src/");
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

test("a workspace of CommonJS packages is described by what it exports and which of its own packages it needs", async () => {
  using dir = tempDir();
  const { run } = await openShell(dir.path, {
    "project/.context.config.yaml": "min_tokens: 0\nmode: full\n",
    "project/package.json": '{"name": "shop", "workspaces": ["packages/*"]}',
    "project/packages/keys/package.json": '{"name": "@shop/keys"}',
    "project/packages/keys/keys.js":
      "module.exports = { open, shut: close };\nfunction open(id) {}\nfunction close() {}\n",
    "project/packages/app/package.json": '{"dependencies": {"@shop/keys": "workspace:*", "koa": "^3"}}',
    "project/packages/app/app.ts":
      'export { open as unlock } from "@shop/keys";\nexport { start };\nfunction start(port: number) {}\n',
  });
  expect(run("init").status).toBe(0);
  expect(run("show", "packages/keys").stdout).toContain("exports:\n  - open(id)\n  - shut()\n");
  const app = run("show", "packages/app").stdout;
  expect(app).toContain("  internal:\n    - packages/keys\n  external:\n    - koa ^3\n");
  expect(app).toContain('exports:\n  - "start(port: number)"\n');
});

test("a clone with Windows line ends and files of Git LFS is not out of date", async () => {
  using dir = tempDir();
  const content = "large";
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256(content)}\nsize ${content.length}\n`;
  const { root, env, run } = await openShell(dir.path, {
    ...FILES,
    "project/.gitattributes": "* text=auto\n*.bin filter=lfs -text\n",
    "project/src/data.bin": pointer,
  });
  const git = (...args: string[]) =>
    spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", ...args], { cwd: root, env });
  run("init");
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "-m", "first");
  const clone = join(dir.path, "clone");
  git("-c", "core.autocrlf=true", "clone", "--quiet", root, clone);
  writeFileSync(join(clone, "src/data.bin"), content);
  expect(readFileSync(join(clone, "src/orders.ts"), "utf8")).toContain("\r\n");
  expect(run("status", "--path", clone)).toMatchObject({ status: 0 });
  writeFileSync(join(clone, "src/data.bin"), "LARGE");
  expect(run("status", "--stale", "--path", clone)).toMatchObject({
    status: 4,
    stdout: expect.stringMatching(/^stale {3}src/),
  });
});
