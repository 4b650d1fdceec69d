import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { languageOf } from "../src/core/parse/parse.ts";

/** Builds the program with its worker threads; it finds its packages and models from here. */
export function buildProgram(): Disposable & { readonly binary: string } {
  const built = mkdtempSync(join("node_modules", ".cache", "contextful", "bench-"));
  const out = resolve(built, "dist");
  const tsdown = join("node_modules", "tsdown", "dist", "run.mjs");
  const args = [tsdown, "--out-dir", out, "--no-dts", "--log-level", "error"];
  // The build runs what it has built, which looks for these.
  cpSync("package.json", join(built, "package.json"));
  symlinkSync(resolve("models"), join(built, "models"), "junction");
  execFileSync(process.execPath, args, { stdio: "inherit" });
  return {
    binary: join(out, "bin.js"),
    [Symbol.dispose]: () => rmSync(built, { recursive: true, force: true }),
  };
}

export function gitAt(cwd: string, ...args: string[]): string {
  const person = ["-c", "user.name=bench", "-c", "user.email=bench@example.org"];
  return execFileSync("git", [...person, ...args], { cwd, encoding: "utf8", maxBuffer: 1 << 28 });
}

export async function timed(run: () => unknown): Promise<number> {
  const from = performance.now();
  await run();
  return performance.now() - from;
}

export function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

export const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;

/** One line of the table of `npm run bench`. */
export interface BenchRow {
  readonly what: string;
  readonly figure: string;
  /** What it was compared with, and the target. */
  readonly beside: string;
  readonly isMet: boolean;
}

export interface BenchTree {
  readonly root: string;
  /** Lines of source code, without vendored code. */
  readonly lines: number;
}

/** A repository of its own with the tracked files of another, or the files of a directory, up to a number of lines. */
export function copyTree(from: string, root: string, maxLines: number): BenchTree {
  mkdirSync(root, { recursive: true });
  let lines = 0;
  for (const path of listed(from)) {
    if (lines >= maxLines) break;
    const content = readFileSync(join(from, path));
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    if (languageOf(path) !== undefined && !/(?:^|\/)vendor\//.test(path))
      lines += content.toString("latin1").split("\n").length - 1;
  }
  gitAt(root, "init", "-q");
  gitAt(root, "add", "-A", "-f");
  gitAt(root, "commit", "-qm", "start");
  return { root, lines };
}

function listed(from: string): string[] {
  const run = (command: string, args: readonly string[]) =>
    execFileSync(command, args, {
      cwd: from,
      encoding: "utf8",
      maxBuffer: 1 << 28,
      stdio: ["ignore", "pipe", "ignore"],
    });
  try {
    return run("git", ["ls-files", "-z"])
      .split("\0")
      .filter((path) => path !== "");
  } catch {
    return run("find", ["-L", ".", "-type", "f", "-printf", "%P\\n"])
      .split("\n")
      .filter((path) => path !== "")
      .sort();
  }
}

interface FinishedCommand {
  readonly stdout: string;
  readonly ms: number;
  /** Of the process itself, without those it started. */
  readonly cpuMs: number;
  readonly peakMegabytes: number;
}

/** Runs the program in a process of its own, which reports its processor time and the kernel's word on its memory. */
export function runProgram(
  binary: string,
  args: readonly string[],
  at: { readonly cwd: string; readonly home: string },
): FinishedCommand {
  const preload =
    "import{readFileSync,writeSync}from'node:fs';process.on('exit',()=>{const{user,system}=process.cpuUsage();let s='';try{s=readFileSync('/proc/self/status','utf8')}catch{};writeSync(2,'\\nCPU '+(user+system)/1e3+'\\n'+s)})";
  const from = performance.now();
  const ran = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(preload)}`, binary, ...args],
    { cwd: at.cwd, encoding: "utf8", env: { ...process.env, CONTEXTFUL_HOME: at.home }, maxBuffer: 1 << 26 },
  );
  const ms = performance.now() - from;
  if (ran.status !== 0) throw new Error(ran.stderr);
  return {
    stdout: ran.stdout,
    ms,
    cpuMs: Number(/^CPU ([\d.]+)/m.exec(ran.stderr)?.[1]),
    peakMegabytes: Number(/VmHWM:\s+(\d+)/.exec(ran.stderr)?.[1] ?? 0) / 1024,
  };
}

/** The median time of a program that is not ours. */
export function timeOf(command: string, args: readonly string[], cwd: string, rounds = 3): number {
  const times = Array.from({ length: rounds }, () => {
    const from = performance.now();
    const ran = spawnSync(command, args, { cwd, stdio: ["ignore", "ignore", "ignore"] });
    if (ran.error) throw ran.error;
    return performance.now() - from;
  });
  return median(times);
}
