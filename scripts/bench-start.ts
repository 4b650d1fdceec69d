import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** From spawn to the first `tools/list` answer, as a ratio to a bare Node program that answers one JSON-RPC line: `[ROUNDS] [BINARY]`. */

const ROUNDS = Number(process.argv[2] ?? 15);
const MOST = 2;
const MOST_MB = 90;
const ECHO = `
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id } = JSON.parse(line);
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: {} }) + "\\n");
});`;

const scratch = mkdtempSync(join(tmpdir(), "bench-start-"));
const project = join(scratch, "project");
mkdirSync(project);
mkdirSync(join(scratch, "home"));
writeFileSync(join(scratch, "echo.cjs"), ECHO);
const binary = resolve(process.argv[3] ?? "dist/bin.js");
const times = { echo: [] as number[], contextful: [] as number[] };
const memory: number[] = [];
try {
  for (let round = 0; round < ROUNDS + 1; round += 1) {
    const echo = await once([join(scratch, "echo.cjs")]);
    const ours = await once([binary, "mcp", "--root", project]);
    if (round === 0) continue; // The first reads the disk.
    times.echo.push(echo.ms);
    times.contextful.push(ours.ms);
    if (ours.megabytes !== undefined) memory.push(ours.megabytes);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
const ratio = median(times.contextful) / median(times.echo);
console.log(`bare echo     ${median(times.echo).toFixed(0)} ms`);
console.log(
  `contextful    ${median(times.contextful).toFixed(0)} ms   ${ratio.toFixed(2)}× (at most ${MOST}×)`,
);
if (memory.length > 0) console.log(`memory        ${median(memory).toFixed(0)} MB (at most ${MOST_MB} MB)`);
if (ratio > MOST || (memory.length > 0 && median(memory) > MOST_MB)) process.exitCode = 1;

function once(args: readonly string[]): Promise<{ ms: number; megabytes: number | undefined }> {
  return new Promise((done, reject) => {
    const began = performance.now();
    const child = spawn(process.execPath, args, {
      stdio: ["pipe", "pipe", "ignore"],
      env: { ...process.env, CONTEXTFUL_HOME: join(scratch, "home") },
    });
    let said = "";
    child.stdout.on("data", (chunk) => {
      said += chunk;
      if (!said.endsWith("\n")) return;
      const ms = performance.now() - began;
      const megabytes = residentMegabytes(child);
      child.once("close", () => done({ ms, megabytes }));
      child.stdin.end();
    });
    child.once("error", reject);
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
  });
}

function residentMegabytes({ pid }: ChildProcess): number | undefined {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
