import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { builtBinary } from "../support/dist.ts";
import { tempDir } from "../support/temp-dir.ts";

const DIRECTORIES = 120;

function makeTree(root: string): void {
  mkdirSync(root);
  writeFileSync(join(root, ".context.config.yaml"), "min_tokens: 0\n");
  for (let index = 0; index < DIRECTORIES; index++) {
    const directory = join(root, `part-${index % 10}`, `unit-${index}`);
    mkdirSync(directory, { recursive: true });
    writeFileSync(
      join(directory, "index.ts"),
      `/** Unit ${index}. */\n\nexport const unit${index} = ${index};\n`,
    );
  }
}

async function openShell(directory: string) {
  const binary = await builtBinary();
  const root = join(directory, "project");
  makeTree(root);
  const env = { PATH: process.env["PATH"] ?? "", HOME: directory, CONTEXTFUL_HOME: join(directory, "home") };
  const start = (...args: string[]) =>
    spawn(process.execPath, [binary, "directories", ...args], {
      cwd: root,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
  const finish = async (...args: string[]) => {
    const child = start(...args);
    let stdout = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    await new Promise((closed) => child.on("close", closed));
    return stdout;
  };
  return { root, start, finish };
}
const Status = z.object({ summary: z.object({ total: z.int(), fresh: z.int() }) });
const contextsIn = (root: string) =>
  readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".context.yaml"));

test("init killed at any moment leaves whole files, and the next one completes the work", async () => {
  using dir = tempDir();
  const { root, start, finish } = await openShell(dir.path);
  for (let round = 0; round < 20; round++) {
    const child = start("init", "--force", "--agents");
    const closed = new Promise((done) => child.on("close", done));
    await pause(150 + round * 40);
    child.kill("SIGKILL");
    await closed;
    for (const path of contextsIn(root)) {
      expect(readFileSync(join(root, path), "utf8")).toMatch(
        /^version: 1\n[\s\S]*derived_fields:\n( {2}- .*\n)+$/,
      );
    }
    const agents = join(root, "AGENTS.md");
    if (existsSync(agents)) expect(readFileSync(agents, "utf8")).toContain("agents-section-end");
  }
  await finish("init");
  const { summary } = Status.parse(JSON.parse(await finish("status", "--json")));
  expect(summary).toMatchObject({ total: DIRECTORIES + 11, fresh: DIRECTORIES + 11 });
});

test("several at once leave every context valid and, after one more look, fresh", async () => {
  using dir = tempDir();
  const { finish } = await openShell(dir.path);
  await Promise.all([finish("init"), finish("init", "--full"), finish("regen"), finish("list")]);
  await finish("regen", "--stale");
  const { summary } = Status.parse(JSON.parse(await finish("status", "--json")));
  expect(summary).toMatchObject({ total: DIRECTORIES + 11, fresh: DIRECTORIES + 11 });
});
