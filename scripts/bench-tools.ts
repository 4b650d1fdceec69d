import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";

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
