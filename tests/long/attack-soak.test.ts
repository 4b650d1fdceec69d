import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { builtBinary } from "../support/dist.ts";
import { startClient } from "../support/stdio-client.ts";
import { tempDir } from "../support/temp-dir.ts";

/** Calls over each of stdio and HTTP. A long soak: `ATTACK_CALLS=50000 npm run check:attack -- -t "mixed calls"`. */
const CALLS = Number(process.env["ATTACK_CALLS"] ?? 2_000);
const SAMPLES = 10;
const AT_ONCE = 8;
const TIMEOUT = 600_000 + CALLS * 200;

/** A pack costs ten times as much as another call: there are fewer of them. */
const toolCalls = (project: string) => [
  ...cheapCalls(project),
  ...cheapCalls(project),
  ...cheapCalls(project),
  { name: "context_pack", arguments: { task: "sumOfPrices", budget: 1_000 } },
];

const cheapCalls = (project: string) => [
  { name: "search_code", arguments: { path: project, query: "sumOfPrices" } },
  { name: "context_search", arguments: { query: "refund" } },
  { name: "context_add_knowledge", arguments: { key: "pricing", content: "refund rules" } },
  { name: "list_contexts", arguments: { path: project } },
  { name: "get_status", arguments: { path: project } },
  { name: "find_symbol", arguments: { symbol: "sumOfPrices" } },
  { name: "find_references", arguments: { symbol: "sumOfPrices" } },
  { name: "code_search", arguments: { query: "sumOf[A-Z]", match: "regex" } },
];

interface Usage {
  readonly calls: number;
  readonly mb: number;
  readonly open: number;
  readonly files: number;
}

/** Memory in megabytes and open files, from Linux' list of processes; `files` are those on disk in `root`. */
function usageOf(pid: number, root: string) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return {
    mb: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024),
    open: readdirSync(`/proc/${pid}/fd`).length,
    // The history of packs grows up to its own limit.
    files: readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
      (path) => !path.includes("/packs/"),
    ).length,
  };
}

/** Runs `call` for each number, a few at once, and measures after each tenth. */
async function soak(pid: number, root: string, call: (number: number) => Promise<void>): Promise<Usage[]> {
  const samples: Usage[] = [];
  let next = 0;
  for (let sample = 1; sample <= SAMPLES; sample += 1) {
    const end = (CALLS * sample) / SAMPLES;
    const worker = async () => {
      while (next < end) await call(next++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    samples.push({ calls: next, ...usageOf(pid, root) });
    process.stdout.write(`${JSON.stringify(samples.at(-1))}\n`);
  }
  return samples;
}

/** The first tenths fill caches: growth is looked for between the third and the last sample. */
function expectFlat(samples: readonly Usage[]): void {
  const [early, late] = [samples[2], samples.at(-1)];
  if (!early || !late) throw new Error("no samples");
  expect(late.open - early.open).toBeLessThan(16);
  expect(late.files - early.files).toBeLessThan(16);
  expect(late.mb / early.mb).toBeLessThan(1.6);
}

function soakProject() {
  const dir = tempDir();
  const project = join(dir.path, "project");
  mkdirSync(project);
  execFileSync("git", ["init", "-q", project]);
  const edit = (number: number) =>
    writeFileSync(join(project, `f${number % 20}.ts`), `export const sumOfPrices = ${number};\n`);
  for (let number = 0; number < 20; number += 1) edit(number);
  writeFileSync(join(project, "go.mod"), "module x\n");
  const env = { HOME: dir.path, CONTEXTFUL_HOME: join(dir.path, "home"), TMPDIR: dir.path };
  return { dir, project, edit, env };
}

test.skipIf(process.platform !== "linux")(
  "mixed calls over stdio with edits keep memory and files flat",
  { timeout: TIMEOUT },
  async () => {
    const { dir, project, edit, env } = soakProject();
    using _dir = dir;
    await using client = startClient(await builtBinary(), { cwd: project, env });
    const hello = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "soak", version: "0" },
    };
    await client.request("initialize", hello);
    await client.request("tools/call", { name: "index_codebase", arguments: { path: project } });
    const calls = toolCalls(project);
    const used = await soak(client.child.pid ?? 0, dir.path, async (number) => {
      if (number % 10 === 0) edit(number);
      const { error, result } = await client.request("tools/call", calls[number % calls.length]);
      // A new index may be in the making; any other error ends the soak.
      if (error) expect([-32002, -32003]).toContain(error.code);
      else expect(result).not.toMatchObject({ isError: true });
    });
    expectFlat(used);
  },
);

test.skipIf(process.platform !== "linux")(
  "mixed calls over HTTP with edits keep memory and files flat",
  { timeout: TIMEOUT },
  async () => {
    const { dir, project, edit, env } = soakProject();
    using _dir = dir;
    const child = spawn(process.execPath, [await builtBinary(), "serve", "--port", "0"], {
      cwd: project,
      env: { PATH: process.env["PATH"], ...env },
    });
    try {
      const port = await new Promise<string>((resolve) => {
        for (const stream of [child.stdout, child.stderr]) {
          createInterface({ input: stream }).on("line", (line) => {
            const found = /127\.0\.0\.1:(\d+)/.exec(line)?.[1];
            if (found) resolve(found);
          });
        }
      });
      const post = async (name: string, body: unknown) => {
        const response = await fetch(`http://127.0.0.1:${port}/tools/${name}`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(body),
        });
        await response.arrayBuffer();
        return response.status;
      };
      await post("index_codebase", { path: project });
      const calls = toolCalls(project);
      const used = await soak(child.pid ?? 0, dir.path, async (number) => {
        if (number % 10 === 0) edit(number);
        const call = calls[number % calls.length];
        if (call) expect([200, 409, 503]).toContain(await post(call.name, call.arguments));
      });
      expectFlat(used);
    } finally {
      child.kill("SIGTERM");
    }
  },
);
