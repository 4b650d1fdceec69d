import { existsSync } from "node:fs";
import * as nodeModule from "node:module";
import { userInfo } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";

const SIGPIPE_EXIT = 141;
const INTERRUPTED_EXIT = 130;
const PARENT_CHECK_MS = 2_000;

/**
 * Handles signals, unhandled errors and closed pipes. Returns the controller that the first signal aborts. With `graceMs`,
 * the process ends that long after the signal even if its work has not: a crash at any moment is safe.
 */
export function watchProcess({ graceMs }: { readonly graceMs: number | undefined }): AbortController {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      // A second signal ends the process at once.
      if (stop.signal.aborted) process.exit(INTERRUPTED_EXIT);
      stop.abort();
      if (graceMs !== undefined) setTimeout(() => process.exit(INTERRUPTED_EXIT), graceMs).unref();
    });
  }
  const report = (what: string, thrown: unknown) =>
    process.stderr.write(
      `contextful error: ${what}: ${thrown instanceof Error ? thrown.stack : String(thrown)}\n`,
    );
  process.on("unhandledRejection", (reason) => report("unhandled rejection", reason));
  process.on("uncaughtException", (error) => {
    report("ended by a bug", error);
    process.exit(1);
  });
  process.stdout.on("error", () => process.exit(SIGPIPE_EXIT));
  process.stderr.on("error", () => {});
  return stop;
}

/** A killed client closes nothing, but our parent process changes then. */
export function stopWithParent(stop: AbortController): void {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop.abort(), PARENT_CHECK_MS).unref();
}

/**
 * From here on stdout carries the protocol only: whatever a dependency prints goes to stderr.
 * Returns the only stream that still writes to stdout.
 */
export function takeStdout(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  const toStderr: typeof process.stdout.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    const done = rest.find((argument) => typeof argument === "function");
    process.stderr.write(chunk);
    if (typeof done === "function") done();
    return true;
  };
  process.stdout.write = toStderr;
  const protocolOutput = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      write(chunk, () => done());
    },
  });
  process.stdout.on("error", (error) => protocolOutput.destroy(error));
  return protocolOutput;
}

/** Newer Node versions keep compiled code on disk. Used only if `home` exists, so that a first look creates nothing. */
export function keepCompiledCode(home: string): void {
  const isSupported =
    "enableCompileCache" in nodeModule && typeof nodeModule.enableCompileCache === "function";
  if (isSupported && existsSync(home)) nodeModule.enableCompileCache(join(home, "compiled"));
}

/**
 * Before Node 22 SQLite is WebAssembly. To optimise it takes longer than one search, so a command that only searches uses
 * the code of the quick compiler.
 */
export function skipWasmOptimiser(): void {
  if (Number.parseInt(process.versions.node, 10) < 22)
    process.getBuiltinModule("node:v8").setFlagsFromString("--liftoff-only");
}

/** Asks for one line at the terminal; `undefined` if the input ends or `signal` aborts first. */
export async function askLine(question: string, signal: AbortSignal): Promise<string | undefined> {
  const { createInterface } = await import("node:readline");
  // Without terminal mode Ctrl-C stays a signal, which stops the whole command.
  const lines = createInterface({ input: process.stdin, terminal: false, signal });
  process.stdout.write(question);
  const answer = await new Promise<string | undefined>((resolve) => {
    lines.once("line", resolve);
    lines.once("close", () => resolve(undefined));
  });
  lines.close();
  if (answer === undefined) process.stdout.write("\n");
  return answer;
}

export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // The user id may have no entry in the password file, as in some containers.
    return process.env["USER"] ?? "unknown";
  }
}
