import { type ChildProcess, spawn } from "node:child_process";
import { statSync } from "node:fs";
import { DomainError } from "../errors.ts";

export interface ProgramResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}
interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input: string | Uint8Array;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
  /** The program's name in messages. */
  readonly name: string;
}

const MAX_STDERR = 1_000_000;

/** Programs that are killed if this process exits before them. */
const running = new Set<ChildProcess>();
let isWatchingExit = false;

/** Runs one program to its end, in its own process group, so that stopping it also stops its children. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: RunOptions,
): Promise<ProgramResult> {
  options.signal?.throwIfAborted();
  const child = start(program, args, options);
  track(child);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let bytes = 0;
  let errorBytes = 0;
  child.stdin.on("error", () => {});
  child.stdin.end(options.input);
  const code = await new Promise<number>((settle, reject) => {
    const stop = (reason: unknown) => {
      reject(reason);
      killGroup(child);
      // A process that left the group may keep them open.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > options.maxBytes) stop(tooMuch(options));
      else stdout.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      errorBytes += chunk.length;
      if (errorBytes <= MAX_STDERR) stderr.push(chunk);
    });
    const timer = setTimeout(() => stop(tooLong(options)), options.timeoutMs);
    const onAbort = () => stop(options.signal?.reason);
    options.signal?.addEventListener("abort", onAbort, { once: true });
    const finish = () => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", onAbort);
      running.delete(child);
    };
    child.on("error", (cause) => {
      finish();
      reject(couldNotRun(options, cause));
    });
    child.on("close", (exit) => {
      finish();
      settle(exit ?? 1);
    });
  });
  return { code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString("utf8") };
}

/** Some failures are events of the child, others are thrown, as if the directory is a file now. */
function start(program: string, args: readonly string[], options: RunOptions) {
  try {
    return spawn(program, args, {
      cwd: options.cwd,
      env: options.env,
      stdio: ["pipe", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
  } catch (thrown) {
    throw couldNotRun(options, thrown);
  }
}

function track(child: ChildProcess): void {
  running.add(child);
  if (isWatchingExit) return;
  isWatchingExit = true;
  process.once("exit", () => {
    for (const one of running) killGroup(one);
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // Already gone.
  }
}

const tooMuch = ({ name, maxBytes }: RunOptions) =>
  new DomainError("unavailable", `${name} gave more than ${maxBytes} bytes and was stopped.`);
const tooLong = ({ name }: RunOptions) =>
  new DomainError("unavailable", `${name} took too long and was stopped.`);

function couldNotRun({ name, cwd }: RunOptions, cause: unknown): DomainError {
  return statSync(cwd, { throwIfNoEntry: false })?.isDirectory()
    ? new DomainError("unavailable", `Could not run ${name}. Check that git is installed, and try again.`, {
        cause,
      })
    : new DomainError("not_found", `Could not run ${name}: its directory is gone.`, { cause });
}
