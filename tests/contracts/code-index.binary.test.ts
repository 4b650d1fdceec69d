import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtBinary } from "../support/dist.ts";
import { startClient } from "../support/stdio-client.ts";
import { tempDir } from "../support/temp-dir.ts";

const CORPUS = join(import.meta.dirname, "golden", "code-index", "corpus");

/** From a megabyte on, worker threads prepare the files: 320 of these are more. */
function writeMany(root: string, count: number): void {
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "go.mod"), "module example.org/many\n\ngo 1.22\n");
  for (let at = 0; at < count; at++) {
    writeFileSync(
      join(root, `file${at}.go`),
      `package many\n\n// Handle${at} answers requests of kind ${at}.\nfunc Handle${at}(x int) int {\n\treturn x + ${at} // ${"padding ".repeat(450)}\n}\n`,
    );
  }
}

test("the contract's errors are JSON-RPC errors, and results are the contract's JSON", async () => {
  using directory = tempDir();
  const corpus = join(directory.path, "corpus");
  const empty = join(directory.path, "empty");
  cpSync(CORPUS, corpus, { recursive: true });
  mkdirSync(empty);
  // The served project would be indexed by itself.
  await using client = startClient(await builtBinary(), {
    cwd: empty,
    env: { CONTEXTFUL_HOME: join(directory.path, "home") },
  });
  await client.initialize();
  const errorOf = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool(name, args)).error;
  expect(await errorOf("search_code", { path: corpus, query: "x" })).toEqual({
    code: -32003,
    message: "Project not indexed",
    data: { reason: "Project not indexed. Run index_codebase first." },
  });
  expect(await errorOf("index_codebase", { path: "/no/such/dir" })).toEqual({
    code: -32602,
    message: "Invalid params",
    data: { param: "path", reason: "Path does not exist or is not accessible" },
  });
  expect(await errorOf("index_codebase", { path: empty })).toMatchObject({
    code: -32001,
    message: "Project not found",
  });
  expect(await errorOf("search_code", { path: corpus, query: " " })).toMatchObject({
    code: -32004,
    message: "Empty query",
  });
  expect(await errorOf("search_code", { path: corpus })).toMatchObject({
    code: -32602,
    data: { param: "query" },
  });
  expect(await errorOf("search_code", { path: corpus, query: "x", limit: 101 })).toMatchObject({
    code: -32602,
  });
  const refused = await client.callTool("find_references", { path: corpus, symbol: "x", limit: 0 });
  expect(refused).toMatchObject({
    result: { isError: true, content: [{ text: expect.stringMatching(/^limit/) }] },
  });
  const { result } = await client.callTool("index_codebase", { path: corpus });
  const text = result as { content: { text: string }[]; structuredContent: unknown };
  expect(JSON.parse(text.content[0]?.text ?? "")).toEqual(text.structuredContent);
  expect(text.structuredContent).toMatchObject({
    success: true,
    statistics: { files_indexed: 4, files_failed: 1 },
  });
  const found = await client.callTool("search_code", {
    path: corpus,
    query: "starts an empty invoice",
    limit: 1,
  });
  expect(found.result).toMatchObject({
    structuredContent: { results: [{ symbol: { name: "NewInvoice" } }] },
  });
  expect(await client.end()).toBe(0);
});

test("worker threads prepare a large project, and the commands find its code", async () => {
  using directory = tempDir();
  const project = join(directory.path, "project");
  writeMany(project, 320);
  const binary = await builtBinary();
  const run = (...args: string[]): unknown =>
    JSON.parse(
      execFileSync(process.execPath, [binary, "code", ...args, "--json"], {
        cwd: directory.path,
        env: { ...process.env, CONTEXTFUL_HOME: join(directory.path, "home") },
        encoding: "utf8",
      }),
    );
  expect(run("index", project)).toMatchObject({
    statistics: {
      files_indexed: 320,
      symbols_extracted: 320,
      chunks_created: 321,
      embeddings_generated: 321,
    },
  });
  expect(run("search", project, "requests of kind 77", "--limit", "1")).toMatchObject({
    results: [{ symbol: { name: "Handle77" } }],
  });
  expect(run("symbols", "Handle119", "project")).toMatchObject({
    symbols: [{ name: "Handle119", path: "file119.go" }],
  });
  expect(run("status", project)).toMatchObject({
    indexed: true,
    project: { module_name: "example.org/many" },
  });
});

test.each([
  {
    argv: ["search", "trust", "proxy"],
    code: 2,
    said: 'error: Not a directory: proxy.\nTo search for several words, put them in quotes: "trust proxy"\n',
  },
  {
    argv: ["code", "def", "NoSuchName"],
    code: 3,
    said: "No symbol is called NoSuchName. Search for it by words.\nRun: contextful code search NoSuchName\n",
  },
])("a command that finds nothing to read says what to type: $argv", async ({ argv, code, said }) => {
  using directory = tempDir();
  const project = join(directory.path, "project");
  writeMany(project, 1);
  const { status, stdout, stderr } = spawnSync(process.execPath, [await builtBinary(), ...argv], {
    cwd: project,
    env: { ...process.env, CONTEXTFUL_HOME: join(directory.path, "home") },
    encoding: "utf8",
  });
  expect([status, stdout + stderr]).toEqual([code, expect.stringContaining(said)]);
});
