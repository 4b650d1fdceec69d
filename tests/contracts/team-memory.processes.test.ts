import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtBinary } from "../support/dist.ts";
import { startClient } from "../support/stdio-client.ts";
import { tempDir } from "../support/temp-dir.ts";

const PROCESSES = 4;
const EACH = 5;

test("servers that write at the same time lose nothing and give every decision its own id", async () => {
  using dir = tempDir();
  const root = join(dir.path, "project");
  mkdirSync(join(root, ".git"), { recursive: true });
  writeFileSync(join(root, "README.md"), "# Project\n");
  const binary = await builtBinary();
  const clients = Array.from({ length: PROCESSES }, (_, index) =>
    startClient(binary, {
      args: ["mcp", "--root", root],
      env: { CONTEXTFUL_HOME: join(dir.path, "home"), MCP_CALLER: `mcp:agent-${index}` },
    }),
  );
  try {
    await Promise.all(clients.map((client) => client.initialize()));
    const calls = clients.flatMap((client, index) =>
      Array.from({ length: EACH }, (_, at) => [
        client.callTool("context_record_decision", { title: `Decision ${index} ${at}` }),
        client.callTool("context_add_knowledge", {
          key: `entry-${index}-${at}`,
          content: `text ${index} ${at}`,
        }),
      ]).flat(),
    );
    const answers = (await Promise.all(calls)).map(({ result }) => JSON.stringify(result));
    expect(answers.filter((answer) => !answer.includes('\\"status\\":\\"ok\\"'))).toEqual([]);
  } finally {
    await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
  }
  const store = join(root, ".context-teleport");
  const ids = readdirSync(join(store, "knowledge/decisions")).flatMap(
    (name) => /^\d{4}(?=-)/.exec(name)?.[0] ?? [],
  );
  const expected = Array.from({ length: PROCESSES * EACH }, (_, index) => String(index + 1).padStart(4, "0"));
  expect(ids.sort()).toEqual(expected);
  expect(readdirSync(join(store, "knowledge")).filter((name) => name.startsWith("entry-"))).toHaveLength(
    PROCESSES * EACH,
  );
});
